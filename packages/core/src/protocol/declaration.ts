/** A tool as people write it down. Its schemas may be of any type that JSON can hold. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. Absent: any object. */
  readonly parameters?: object | boolean | undefined;
  /** JSON Schema of the structured result. */
  readonly outputSchema?: object | boolean | undefined;
  readonly annotations?: object | undefined;
}
