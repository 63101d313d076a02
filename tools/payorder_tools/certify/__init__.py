"""The exam for a till: `payorder certify`. The protocol is in docs/certify.md."""
