"""Verifies the chains of an audit log, from docs/audit-format.md alone: python3 verify.py FOLDER"""

import hashlib
import json
import pathlib
import sys

SEAL = 75  # ,"hash":"<64 hex>"}


def fault_in(chain):
    """The first fault of a chain, or None, and the number of good records."""
    seq, prev = 0, "0" * 64
    for segment in sorted(chain.glob("[0-9]*[0-9].jsonl")):
        data = segment.read_bytes()
        if data and not data.endswith(b"\n"):
            return seq, f"{segment.name}: its last line has no end"
        for line in data.split(b"\n")[:-1]:
            due = f"record {seq + 1}"
            digest = hashlib.sha256(line[:-SEAL]).hexdigest()
            if line[-SEAL:] != b',"hash":"%s"}' % digest.encode():
                return seq, f"{due}: its bytes do not have the hash that it states"
            record = json.loads(line)
            if record["v"] != 1 or record["seq"] != seq + 1 or record["prev"] != prev:
                return seq, f"{due}: it does not follow the record before it"
            seq, prev = record["seq"], digest
    # The checkpoint beside the chain: its size, and the head at that size.
    note = chain / "checkpoint"
    if note.exists() and int(note.read_text().split("\n")[1]) > seq:
        return seq, "the chain ends before its checkpoint"
    return seq, None


broken = False
for chain in sorted(path for path in pathlib.Path(sys.argv[1]).iterdir() if path.is_dir()):
    records, fault = fault_in(chain)
    print(f"{records} records are good" + (f"; {fault}" if fault else ""))
    broken = broken or fault is not None
sys.exit(1 if broken else 0)
