export { createDispatcher, type Dispatcher } from "./dispatcher.ts";
