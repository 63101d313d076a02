"""Cases for differential.rs, with Python's answers.

Run as `cases.py SEED COUNT`. Writes one JSON object per line: {"call", "texts", "result",
"answer"}. The answer is null if there is none.
"""

import json
import sys

from amounts import build, verify
from json_texts import json_get, json_object
from random_texts import rng
from return_urls import return_url


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng.seed(seed)
    for _ in range(count):
        for case in (verify, build, return_url, json_get, json_object):
            call, texts, result, answer = case()
            print(
                json.dumps(
                    {"call": call, "texts": texts, "result": result, "answer": answer}
                )
            )


if __name__ == "__main__":
    main()
