import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { errorFromAnswer } from "../src/error-from-answer.ts";
import { requestUrl } from "../src/request-url.ts";

const answer = (body: string) => errorFromAnswer({ status: 500, body, requestId: null });

provesQuick([
	["a base URL", "slashes", `https://a.example${megabyteOf("/")}b`, (text) => requestUrl(text, "/v1/health")],
	["a base URL", "slashes at the end", `https://a.example${megabyteOf("/")}`, (text) => requestUrl(text, "/v1/health")],
	["a path's value", "slashes", megabyteOf("/"), (id) => requestUrl("https://a.example", "/v1/videos/{id}", { id })],
	["an error's body", "blanks", megabyteOf(" "), answer],
	["an error's body", "a long message", JSON.stringify({ error: "not_found", message: megabyteOf("a") }), answer],
	["an error's body", "HTML", megabyteOf("<p>"), answer],
]);
