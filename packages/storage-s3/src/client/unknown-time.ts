/** The time of an object for which the server tells no time: nobody takes it for old. */
export const unknownTime = new Date(8.64e15);
