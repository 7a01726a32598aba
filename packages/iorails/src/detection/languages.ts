/** The languages that NeMo's detector knows, by the codes of fastText's model. */
export const languages: ReadonlySet<string> = new Set(
  "af als am an ar arz as ast av az azb ba bar bcl be bg bh bn bo bpy br bs bxr ca cbk ce ceb ckb co cs cv cy da de diq dsb dty dv el eml en eo es et eu fa fi fr frr fy ga gd gl gn gom gu gv he hi hif hr hsb ht hu hy ia id ie ilo io is it ja jbo jv ka kk km kn ko krc ku kv kw ky la lb lez li lmo lo lrc lt lv mai mg mhr min mk ml mn mr mrj ms mt mwl my myv mzn nah nap nds ne new nl nn no oc or os pa pam pfl pl pms pnb ps pt qu rm ro ru rue sa sah sc scn sco sd sh si sk sl so sq sr su sv sw ta te tg th tk tl tr tt tyv ug uk ur uz vec vep vi vls vo wa war wuu xal xmf yi yo yue zh".split(
    " ",
  ),
);

/** Those of them that are told apart here. */
export const detectableLanguages: readonly string[] =
  "am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh".split(
    " ",
  );

/** The code of a language as it is compared: `en` of "EN" and "en-GB". */
export function languageCode(written: string): string {
  return written.trim().toLowerCase().split(/[-_]/, 1)[0] ?? "";
}

/** Tells the language of a text; nothing if it is not sure. */
export type LanguageDetector = (text: string) => string | undefined;

let loading: Promise<LanguageDetector> | undefined;

/** @throws the error of the import, where the package `eld` is not installed. */
export function loadLanguageDetector(): Promise<LanguageDetector> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LanguageDetector> {
  const { eld } = await import("eld/small");
  // The package's own may be set otherwise by somebody else.
  const detector = eld.newInstance();
  return (text) => {
    const found = detector.detect(text);
    return found.language !== "" && found.isReliable() ? found.language : undefined;
  };
}
