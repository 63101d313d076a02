'use strict';
// The places in the memory that the main thread and the thread of a call share.

module.exports = {
  BEGUN: 0, // 1: the library was called
  STOP: 1, // 1: the program needs no more results
  TAKEN: 2, // how many results the program took
  ENDED: 3, // 1: the call returned
  PLACES: 4,
  AHEAD: 256, // how many results may wait for the program
};
