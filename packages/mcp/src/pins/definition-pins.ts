export class DefinitionPins {
  async withheld(
    _serverName: string,
    _tools: readonly {
      readonly name: string;
      readonly definition: object;
      readonly text: string;
    }[],
  ): Promise<ReadonlyMap<string, string>> {
    return new Map();
  }
}
