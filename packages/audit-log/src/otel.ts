export { type OtelOptions, otel } from "./otel/observer.js";
