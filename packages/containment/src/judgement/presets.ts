/** The demands of a preset on a call after the first untrusted result. */
export interface Preset {
  /** A tool that the plan of its session does not name is held. */
  readonly needsPlan: boolean;
  /** A trusted field vouches for a destination. */
  readonly fieldsVouch: boolean;
  /** The author of a result vouches for itself, while nothing confidential of others was read. */
  readonly originsVouch: boolean;
  /** A call that cannot be undone is held unless the user named all of its values. */
  readonly holdsIrreversible: boolean;
  /** Values of the kinds `text`, and URLs within texts, are judged. */
  readonly judgesTexts: boolean;
}

export type PresetName = "strict" | "balanced" | "open";
export const presetNames: readonly PresetName[] = ["strict", "balanced", "open"];

export const presets: Readonly<Record<PresetName, Preset>> = {
  strict: {
    needsPlan: true,
    fieldsVouch: false,
    originsVouch: false,
    holdsIrreversible: true,
    judgesTexts: true,
  },
  balanced: {
    needsPlan: false,
    fieldsVouch: true,
    originsVouch: true,
    holdsIrreversible: true,
    judgesTexts: true,
  },
  open: {
    needsPlan: false,
    fieldsVouch: true,
    originsVouch: true,
    holdsIrreversible: false,
    judgesTexts: false,
  },
};
