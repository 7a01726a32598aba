/** The text of `toolstile redact --help`. */
export const help = `Usage: toolstile redact [OPTION…] < INPUT

Masks secrets and personal data in its standard input. What was found stands as
[redacted KIND]; text that was masked before stays as it is. Memory does not
grow with the input. The input is UTF-8: a byte that is none becomes U+FFFD.

Options:
  --jsonl FIELD  the input is JSON Lines: masks the member FIELD of the object
                 on each line, with all in it, and leaves the others as they
                 are; a line without that member, too
  --findings     prints, in place of the text, one JSON list for each line:
                 { start, end, kind }, in UTF-16 units from the beginning of
                 the line, or with --jsonl of the member. What goes over
                 several lines is listed for each of them. A member that is no
                 text has { path, start, end, kind }: path is the JSON Pointer
                 of a text in it, and with inName: true of the name it ends in
  --kinds        lists the kinds that are found, with their scores on made-up
                 data, and reads nothing

Exit codes:
  0  everything was read
  1  the input cannot be read, or with --jsonl a line is no JSON object: nothing
     of it and of what follows is printed. Or no line has the member FIELD
  2  the command line is wrong

Example:
  kubectl logs pod/api | toolstile redact
  toolstile redact --jsonl text --findings < results.jsonl
`;
