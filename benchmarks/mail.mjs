/** The arguments that every row is measured with: a mail call of about 500 bytes, and one of about 17 kB. */
export const mail = {
  to: ["alice@example.com", "bob@example.com"],
  cc: [],
  subject: "Quarterly figures and next steps",
  body: "Dear all,\nplease find attached the figures for the third quarter. Let me know by Friday if anything looks off; I will then send them on to the board.\nKind regards,\nCarol",
  priority: "normal",
  attachments: [
    { name: "figures-q3.xlsx", mime: "application/vnd.ms-excel", size: 18_233 },
    { name: "notes.md", mime: "text/markdown", size: 812 },
  ],
  sendAt: "2026-11-27T09:00:00Z",
  trackOpens: false,
};

export const largeMail = {
  ...mail,
  to: Array.from({ length: 120 }, (_, index) => `colleague.number.${index}@example.com`),
  attachments: Array.from({ length: 120 }, (_, index) => ({
    name: `figures-of-department-${index}.xlsx`,
    mime: "application/vnd.ms-excel",
    size: 18_233 + index,
  })),
};

const address = { type: "string", minLength: 3, maxLength: 254 };

/** The schema that the mail tool declares for its arguments. */
export const mailSchema = {
  type: "object",
  properties: {
    to: { type: "array", items: address, minItems: 1, maxItems: 200 },
    cc: { type: "array", items: address, maxItems: 200 },
    subject: { type: "string", minLength: 1, maxLength: 200 },
    body: { type: "string", maxLength: 20_000 },
    priority: { enum: ["low", "normal", "high"] },
    attachments: {
      type: "array",
      maxItems: 200,
      items: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 255 },
          mime: { type: "string", maxLength: 100 },
          size: { type: "integer", minimum: 0 },
        },
        required: ["name", "mime", "size"],
        additionalProperties: false,
      },
    },
    sendAt: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T" },
    trackOpens: { type: "boolean" },
  },
  required: ["to", "subject", "body"],
  additionalProperties: false,
};
