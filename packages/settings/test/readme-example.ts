import { describeSettings, readSettings, values } from "@reelmill/settings";

const table = {
	PORT: { description: "The port to listen on.", value: values.integer(0, 65_535), fallback: 8787 },
	NAME: { description: "The program's name.", value: values.text, required: true },
} as const;

const settings = readSettings(table, { MILL_NAME: "north" }, "MILL_");
console.log(settings.PORT, settings.NAME);
console.log(describeSettings(table, "MILL_"));
