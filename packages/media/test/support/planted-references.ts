const hex = (text: string): Buffer => Buffer.from(text, "hex");
const short = (value: number): Buffer => Buffer.of(value & 0xff, value >> 8);
const wide = (text: string): Buffer => Buffer.from(text, "utf16le");

/** Puts an object at the beginning of an ASF's header. */
export function withAsfObject(bytes: Buffer, guid: string, body: Buffer): Buffer {
	const object = Buffer.concat([hex(guid), Buffer.alloc(8), body]);
	object.writeBigUInt64LE(BigInt(object.length), 16);
	const whole = Buffer.concat([bytes.subarray(0, 30), object, bytes.subarray(30)]);
	whole.writeBigUInt64LE(whole.readBigUInt64LE(16) + BigInt(object.length), 16);
	whole.writeUInt32LE(whole.readUInt32LE(24) + 1, 24);
	return whole;
}

/** An ASF whose script tells the player to open addresses, as Windows Media Player did. */
export function asfWithScript(bytes: Buffer, uris: string[]): Buffer {
	const types = ["URL", "FILENAME"].map((type) => Buffer.concat([short(type.length), wide(type)]));
	const commands = uris.flatMap((uri) =>
		types.map((_, type) => Buffer.concat([Buffer.alloc(4), short(type), short(uri.length), wide(uri)])),
	);
	return withAsfObject(
		bytes,
		"301afb1e620bd011a39b00a0c90348f6",
		Buffer.concat([
			...[hex("e3cb1a4b0b10d011a39b00a0c90348f6"), short(commands.length), short(types.length)],
			...[...types, ...commands],
		]),
	);
}

const fillKey = hex("060e2b34010101020301021001000000");
const locatorKey = hex("060e2b34025301010d01010101013200");

/** A key of MXF with its length in four bytes, and the value. */
const keyed = (key: Buffer, value: Buffer): Buffer => {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(0x83000000 + value.length);
	return Buffer.concat([key, length, value]);
};

/** An MXF with a Network Locator, which says where its pictures are, in place of the filling behind its header. */
export function mxfWithLocator(bytes: Buffer, uri: string): Buffer {
	const metadata = bytes.indexOf(fillKey, bytes.indexOf(fillKey) + 1);
	const room = 20 + (bytes.readUInt32BE(metadata + 16) - 0x83000000);
	const address = Buffer.from(wide(uri)).swap16();
	const head = hex("3c0a00100102030405060708090a0b0c0d0e0f104001");
	const length = Buffer.of(address.length >> 8, address.length & 0xff);
	const locator = keyed(locatorKey, Buffer.concat([head, length, address]));
	const rest = keyed(fillKey, Buffer.alloc(room - locator.length - 20));
	return Buffer.concat([bytes.subarray(0, metadata), locator, rest, bytes.subarray(metadata + room)]);
}

/** The bytes of a GIF with an extension that names an address, as XMP does. */
export function gifWithXmp(bytes: Buffer, uri: string): Buffer {
	const at = bytes.indexOf(Buffer.of(0x21, 0xf9));
	const text = Buffer.from(`<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/"><a rdf:resource="${uri}"/></x:xmpmeta>`);
	const extension = [hex("21ff0b"), Buffer.from("XMP DataXMP"), Buffer.of(text.length), text, Buffer.of(0)];
	return Buffer.concat([bytes.subarray(0, at), ...extension, bytes.subarray(at)]);
}
