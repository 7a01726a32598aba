/** The later Nodes that are supported, each in the version that is tested. */
export const laterNodes = ["22.23.3", "24.21.0"];
