const words =
  /^(?:pass(?:word|wd|wort)?|user(?:name)?|secret|token|change[-_ ]?(?:me|it)|example|placeholder|redacted|masked|hidden|none|null|nil|undefined|true|false|empty|required|optional|string|todo|tbd|n\/a|your[-_ ].*|my[-_ ]?(?:secret|password|token|key).*|insert[-_ ].*|replace[-_ ].*|<.*>?|\{\{.*|\$(?:[{(].*|[A-Za-z_][A-Za-z_.]*)|%[A-Za-z_]+%|.*\*\*\*.*|(.)\1{3,}.*|\.{3,}.*|…+)$/i;

const filled = /X{4}|XXX-|x{6}|\*{3}|(?:%2A){3}|YOUR[-_]|[-_]here$/;

/** True for text that stands where a secret would: a variable, a template, a mask, a word for it. */
export function isPlaceholder(text: string): boolean {
  return words.test(text) || filled.test(text);
}
