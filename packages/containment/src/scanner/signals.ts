import type { PlainText } from "./plain-text.js";

/** The signals that the scanner looks for, in the order of the weights. */
export const signals: readonly Signal[] = [
  "overrides",
  "addresses-model",
  "forged-boundary",
  "hidden",
  "takes-precedence",
  "asks-for-effect",
  "asks-for-secret",
  "keeps-from-user",
  "encoded-order",
  "carries-out",
  "off-task-order",
];
export type Signal =
  | "overrides"
  | "addresses-model"
  | "forged-boundary"
  | "hidden"
  | "takes-precedence"
  | "asks-for-effect"
  | "asks-for-secret"
  | "keeps-from-user"
  | "encoded-order"
  | "carries-out"
  | "off-task-order";

/** No pattern repeats a repetition, and each gap has a bound: the cost grows with the length of the text. */
const patterns: Readonly<Record<Exclude<Signal, "hidden">, RegExp>> = {
  overrides:
    /\b(?:ignore|disregard|forget|override|overrule|bypass|ignora|olvida|ignorez|oubliez|vergiss|ignoriere)\b[^.\n"']{0,40}\b(?:instructions?|i[nu]+structions?|rules|directives|guidelines|prompts?|orders|function|resume|instrucciones|anweisungen|consignes?|question|paragraph|table)\b|\bnew (?:instructions|policy|task) (?:from|for you)\b|忽略[^。\n]{0,12}指令|無視して|игнорируй/u,
  "addresses-model":
    /\b(?:(?:dear |to |note to |hey |message to )(?:ai|llm|assistant|agent)|ai (?:agent|assistant|model)s?\b[^.\n]{0,30}(?:reading|processing|must|should|please|:)|the (?:assistant|agent|model|llm) (?:must|should|has to|processing|reading|is required)|assistant[,:] |(?:for|to) the (?:model|assistant|agent)\b|you,? gpt|to_ai\b|todo\(agent\)|agent_instructions|as an ai|the model must|note for the model|using an? (?:llm|ai)\b|admit (?:to|that))/u,
  "forged-boundary":
    /<\|?(?:im_start|im_end|system|endoftext|start_header_id)\|?>|\[\/?inst\] *\[inst\]|<<\/?sys>>|<\/?(?:tool_result|function_results?|information|system)\b|\(system_message\)|\[\/?system\]|(?:^|\n)#* ?(?:system|human|user|assistant): |\] ?system: |<important>/u,
  "takes-precedence":
    /\b(?:before (?:you|calling|each|anything|answering|responding)|do the following|first (?:do|run|send|call|read)|do this (?:first|now|right now)|right now:|instead(?:\.|$|:)|strictly adhere|following instruction|important message|to continue,|has to do this|todo: |must also|pre-?approved|already agreed|after you do that|important!!!|urgent!!!|do .{3,200} instead\.|in all later sessions|and (?:obey|follow|carry out))/u,
  "asks-for-effect":
    /(?:^|[\n.!:;>{"'] ?|please |then |also |and |# )(?:send|email|e-mail|forward|transfer|wire|delete|remove|create|invite|post|publish|upload|call|execute|disable|enable|change|modify|update|reserve|book|make a reservation|buy|purchase|visit|get all|concatenate|grant|approve|silently)\b[^.\n]{0,60}\b(?:to|the|my|all|an?|user|account|files?|with|for|at|of)\b/u,
  "asks-for-secret":
    /\b(?:reveal|print|show|repeat|leak|send|give|append|copy|include|output)\b[^.\n]{0,60}\b(?:system prompt|secret|passwords?|api keys?|security code|credentials?|passport|credit card|bank account|token|canary|chat history|chat-history|shadow|private key|message système)\b/u,
  "keeps-from-user":
    /\b(?:do not|don't|without|never)\b[^.\n]{0,20}\b(?:tell|mention|inform|telling|notify|asking|parler)\b|\bsilently\b|\bsans en parler\b/u,
  "encoded-order":
    /\b(?:decode|rot13|base64|join part|hex)\b[^.\n]{0,40}\b(?:follow|obey|carry out|execute|run|do)\b|[a-z0-9+/]{60,}={0,2}/u,
  "carries-out":
    /!\[[^\]\n]{0,40}\]\(https?:[^)\n]{0,200}[?&][a-z]{1,12}=|[?&](?:session|data|token|d|q)=(?:paste|url|chat|your|sys)|include this image|follow this link|click here to verify/u,
  "off-task-order":
    /(?:^|\n)(?:provide|adopt|insert|inject|fuse|incorporate|include|integrate|embed|blend|merge|add|use|rearrange|write|translate|respond|answer|reply|rewrite|replace|randomly|swap|convert|craft|encrypt|modify|substitute)\b[^.\n]{0,60}\b(?:your (?:reply|response|answer|solution|code|implementation|output)|code (?:block|snippet|sample)|block of code|lines of code|following code|the code)\b/u,
};

const quoteBefore =
  /(?:such as|like|example|phrases?|pattern|includes?|list|flagged\(|=|assert|saying|said) ?["'`(]?["'`]?$|["'`(]$/u;

/** Which signals a text shows. What is quoted as an example shows nothing. */
export function signalsIn({ text, hidden }: PlainText): readonly Signal[] {
  return signals.filter((signal) => {
    if (signal === "hidden") return hidden > 2;
    const match = patterns[signal].exec(text);
    if (match === null) return false;
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    return signal !== "overrides" && signal !== "asks-for-secret"
      ? true
      : !quoteBefore.test(before);
  });
}
