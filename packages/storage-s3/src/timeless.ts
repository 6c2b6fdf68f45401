/** When an object was written of which the server tells no time: nobody takes it for old. */
export const timeless = new Date(8.64e15);
