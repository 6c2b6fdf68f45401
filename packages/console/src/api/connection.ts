import { createStore } from "./store.ts";

/** Whether the server answers. It is lost with a call that gets no answer, and found with the next one that does. */
export type Connection = "found" | "lost";

export const { set: setConnection, use: useConnection } = createStore<Connection>("found");
