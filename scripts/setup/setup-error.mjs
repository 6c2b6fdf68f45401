/** Something that the person at the keyboard has to mend; its message is the one sentence that is shown. */
export class SetupError extends Error {}
