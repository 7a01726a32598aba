/** The text of `toolstile verify --help`. */
export const help = `Usage: toolstile verify PATH [OPTION…]

Checks an audit log: the hash and the number of each record, and its link to the
record before it. It names the first record that was changed. PATH is the folder
of a log, whose chains are all checked, or one .jsonl file.

For a folder:
  --key FILE              the public key of the checkpoints: also checks their
                          signatures
  --anchor PATH           checkpoints that were kept elsewhere: a file or a
                          folder; can be given several times. They reveal a
                          cut or a rewritten log
  --origin NAME           the origin that the checkpoints must have: the option
                          'origin' of the log. One key may sign several logs:
                          without this option, another log is accepted too

For a file:
  --expect NUMBER:SHA256  the log must still contain this record, the last one
                          that an earlier run printed. Without it, a cut at the
                          end of the log is not noticed
  --key FILE              the log's key: also compares payloads, if the log has
                          them, with the digests in their records

Options:
  --json                  print the report as one JSON object

Exit codes:
  0  every record is whole and in its place
  1  the log is broken or cut, or its last line is torn
  2  the log, a key or an anchor cannot be read, or the command line is wrong

Example:
  toolstile verify ./audit --key audit.public.pem --anchor /mnt/worm/checkpoints
  toolstile verify audit.jsonl --key audit.jsonl.key
`;
