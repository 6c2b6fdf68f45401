const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const info = new RegExp(`^(${uuid})\\.info$`);
const ofUpload = new RegExp(`^(${uuid})(?:\\.info|\\.${uuid}\\.part)?$`);

/** Says that there is such an upload, and of which generation. The whole object lies under the id alone. */
export const infoKey = (id: string): string => `${id}.info`;
/**
 * How far an upload has come, with the bytes that don't fill a part yet. Its name carries the generation, so that a
 * late writer of a discarded upload writes beside the state of the one made anew.
 */
export const tailKey = (id: string, generation: string): string => `${id}.${generation}.part`;
/** The id of an upload's info key; undefined for any other key. */
export const idOfInfo = (key: string): string | undefined => info.exec(key)?.[1];
/** Whether the key is one of an upload's objects, of whichever generation. */
export const isKeyOf = (id: string, key: string): boolean => ofUpload.exec(key)?.[1] === id;
