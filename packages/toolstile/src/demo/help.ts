/** The text of `toolstile demo --help`. */
export const help = `Usage: toolstile demo

Shows how guards work, with the agent of a small bookshop. For each call it
shows what the model asks for, the decision of each guard, the arguments that
the tool gets, and the text that the model reads. Then it verifies the audit
log, and finds the change in a copy with one flipped byte.

The model is a script, the shop is invented, and nothing leaves this machine.

Exit codes:
  0  every call ended as the script says, and the flipped byte was found
  1  something was different
  2  the command line is wrong

Example:
  toolstile demo
`;
