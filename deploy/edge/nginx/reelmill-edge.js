// The edge's decisions for nginx: nginx.conf beside this file says where they are called. They are those of
// packages/edge, written for njs 0.7.9 of Debian 12, which has no destructuring, no Map, no JWK and no memory of its
// own. What must be remembered lies in a file for each domain. nginx asks once for each key, video and feed.
// biome-ignore lint/style/useNodejsImportProtocol: it is a module of njs
import fs from "fs";

// The keys of ES256 alone: this njs knows no Ed25519.
const spkiPrefix = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d03010703420004", "hex");
// A feed is trusted for so long after its proof first came; nginx keeps it for up to 3 s more, the service for 1 s.
const trustedMilliseconds = 1000;
// How long a verdict is kept while the feeds say the same: a yes, and what else there is.
const yesSeconds = 60;
const verdictSeconds = 5;

function objectOf(text) {
	try {
		const value = JSON.parse(Buffer.from(text, "base64url").toString());
		return typeof value === "object" && value !== null ? value : null;
	} catch (_e) {
		return null;
	}
}

async function sha256(text) {
	const sum = await crypto.subtle.digest("SHA-256", Buffer.from(text));
	return Buffer.from(sum).toString("base64url");
}

async function digestOf(text) {
	const sum = await sha256(text);
	return sum.slice(0, 16);
}

// Says what a compact JWS is: genuine with its payload, forged, or unknown if only the service can tell.
async function verifySignature(token, keys) {
	const parts = token.split(".");
	const header = parts.length === 3 ? objectOf(parts[0]) : null;
	const payload = parts.length === 3 ? objectOf(parts[1]) : null;
	if (header === null || payload === null || !/^[A-Za-z0-9_-]+$/.test(parts[2])) return { kind: "forged" };
	if (typeof header.kid !== "string" || header.crit !== undefined) return { kind: "unknown" };
	let jwk = null;
	for (let i = 0; i < keys.length; i++) if (keys[i].kid === header.kid) jwk = keys[i];
	if (jwk === null || jwk.alg !== "ES256" || jwk.kty !== "EC" || jwk.crv !== "P-256") return { kind: "unknown" };
	if (header.alg !== "ES256") return { kind: "forged" };
	const signature = Buffer.from(parts[2], "base64url");
	if (signature.length !== 64) return { kind: "forged" };
	const spki = Buffer.concat([spkiPrefix, Buffer.from(jwk.x, "base64url"), Buffer.from(jwk.y, "base64url")]);
	const key = await crypto.subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);
	const signed = Buffer.from(`${parts[0]}.${parts[1]}`);
	const isGenuine = await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed);
	return isGenuine ? { kind: "genuine", payload: payload } : { kind: "forged" };
}

async function keysOf(r, missed) {
	// Another address each 5 s lets nginx ask again for a key that it doesn't know.
	const reply = await r.subrequest(missed ? "/_edge/missed-keys" : "/_edge/keys");
	if (reply.status !== 200) throw new Error(`the keys were answered with ${reply.status}`);
	return JSON.parse(reply.responseText).keys;
}

async function verifyWithKeys(r, token) {
	let keys = await keysOf(r, false);
	const verdict = await verifySignature(token, keys);
	if (verdict.kind !== "unknown") return verdict;
	keys = await keysOf(r, true);
	return verifySignature(token, keys);
}

function readState(file) {
	try {
		return JSON.parse(fs.readFileSync(file));
	} catch (_e) {
		return { issuedAt: 0, provenAt: 0, generation: null, generationSeen: 0, seen: {} };
	}
}

// Returns what is known of a domain; throws if the feed can't be trusted.
async function domainOf(r, domain) {
	const reply = await r.subrequest(`/_edge/service/${domain}`);
	const text = reply.responseText;
	if (reply.status !== 200) throw new Error(`it was answered with ${reply.status}`);
	const proof = await verifyWithKeys(r, String(reply.headersOut["Reelmill-Edge-Proof"]));
	if (proof.kind !== "genuine") throw new Error(`its proof is ${proof.kind}`);
	const claims = proof.payload;
	if (claims.aud !== "reelmill-edge" || claims.domain !== domain) throw new Error("its proof is of another thing");
	const sum = await sha256(text);
	if (claims.sha256 !== sum) throw new Error("its proof is of another feed");
	const feed = JSON.parse(text);
	if (feed.domain !== domain) throw new Error("it is of another domain");

	const file = `${r.variables.edge_state}/${domain}.json`;
	const state = readState(file);
	const now = Date.now();
	if (claims.iat < state.issuedAt) throw new Error("it is older than the one before");
	// Only differences of the clock count. One that was set back by hours would make a feed young again.
	if (claims.iat === state.issuedAt && Math.abs(now - state.provenAt) > trustedMilliseconds)
		throw new Error("it stands still");
	const seen = {};
	const kinds = ["viewers", "videos"];
	for (let k = 0; k < kinds.length; k++) {
		const names = Object.keys(feed[kinds[k]]);
		for (let i = 0; i < names.length; i++) {
			const id = `${kinds[k]} ${names[i]} ${feed[kinds[k]][names[i]]}`;
			seen[id] = state.seen[id] || now;
		}
	}
	const next = {
		issuedAt: claims.iat,
		provenAt: claims.iat === state.issuedAt ? state.provenAt : now,
		generation: feed.generation,
		generationSeen: state.generation === null ? 0 : state.generation === feed.generation ? state.generationSeen : now,
		seen: seen,
	};
	// A reader must not see half of it.
	fs.writeFileSync(`${file}.${r.variables.pid}`, JSON.stringify(next));
	fs.renameSync(`${file}.${r.variables.pid}`, file);
	return {
		feed: feed,
		issuedAt: next.issuedAt,
		provenAt: next.provenAt,
		generationSeen: next.generationSeen,
		seen: seen,
	};
}

// What is known of all domains. Its header names it: verdicts are kept under this name.
async function feeds(r) {
	const domains = r.variables.edge_domains.split(" ");
	const known = [];
	const names = [];
	for (let i = 0; i < domains.length; i++) {
		try {
			const one = await domainOf(r, domains[i]);
			const name = await sha256(JSON.stringify(one.feed));
			known.push(one);
			names.push(name);
		} catch (e) {
			r.warn(`The feed of the domain ${domains[i]} can't be used: ${e.message}`);
			names.push("none");
		}
	}
	const all = await sha256(names.join(" "));
	r.headersOut["X-Edge-Feed"] = all;
	// While one request asks for the feeds anew, the others take those before for a second. Otherwise each would ask.
	r.headersOut["Cache-Control"] = "max-age=1, stale-while-revalidate=1";
	r.headersOut["Content-Type"] = "application/json";
	r.return(200, JSON.stringify(known));
}

// What the service says too soon after a change may be what was true before it.
function isSettled(r, known, id) {
	return Date.now() - Math.max(known.seen[id] || 0, known.generationSeen) >= Number(r.variables.edge_settling);
}

// 204 with a scope lets nginx serve what it keeps under that scope; 403 lets the service answer the viewer itself.
function answer(r, status, scope, seconds) {
	if (scope !== null) r.headersOut["X-Edge-Scope"] = scope;
	r.headersOut["X-Accel-Expires"] = String(seconds);
	r.return(status);
}

async function verdict(r) {
	try {
		await decide(r);
	} catch (e) {
		r.warn(`A request could not be decided: ${e.message}`);
		answer(r, 403, null, 0);
	}
}

async function decide(r) {
	const reply = await r.subrequest("/_edge/feeds");
	const known = JSON.parse(reply.responseText);
	const path = r.headersIn["X-Edge-Path"];
	const videoId = path.slice(8, 44);
	const digest = await digestOf(videoId);
	const authorization = r.headersIn["Authorization"];
	// What is public may be of any domain, so all feeds must be known.
	if (known.length !== r.variables.edge_domains.split(" ").length) return answer(r, 403, null, 1);
	let settled = true;
	let open = "public";
	for (let i = 0; i < known.length; i++) {
		const change = known[i].feed.videos[digest] || "";
		open += `/${known[i].feed.generation}/${change}`;
		settled = settled && isSettled(r, known[i], `videos ${digest} ${change}`);
	}
	if (!settled) return answer(r, 403, null, 1);
	const match = /^Bearer ([A-Za-z0-9_.-]{1,4096})$/i.exec(authorization || "");
	if (match === null) return answer(r, 204, open, verdictSeconds);
	const verified = await verifyWithKeys(r, match[1]);
	if (verified.kind === "forged") r.headersOut["X-Edge-Key"] = "forged";
	if (verified.kind !== "genuine") return answer(r, 204, open, verdictSeconds);
	const claims = verified.payload;
	let mine = null;
	for (let j = 0; j < known.length; j++) if (known[j].feed.domain === claims.domain) mine = known[j];
	if (mine === null) return answer(r, 204, open, verdictSeconds);
	// A key may end between a verdict and its use. In its last moments the service decides.
	const left = claims.exp - (mine.issuedAt + (Date.now() - mine.provenAt) / 1000) - 2 * verdictSeconds;
	const isGood =
		claims.aud === "service-playback" &&
		left > 0 &&
		typeof claims.epoch === "number" &&
		claims.epoch >= mine.feed.epoch &&
		typeof claims.viewer === "string" &&
		(claims.videos === undefined || (Array.isArray(claims.videos) && claims.videos.indexOf(videoId) >= 0)) &&
		(claims.session === undefined || typeof claims.session === "string");
	if (!isGood) return answer(r, 204, open, verdictSeconds);
	const version = mine.feed.viewers[claims.viewer];
	if (version !== undefined) {
		// Only the service knows whether this key is older than the revocation of its viewer.
		if (!isSettled(r, mine, `viewers ${claims.viewer} ${version}`)) return answer(r, 403, null, 1);
		const said = await r.subrequest(`/_edge/ask${path}`, { method: "HEAD" });
		const isYes = said.status === 200 && /^private\b/.test(said.headersOut["Cache-Control"] || "");
		if (!isYes) return answer(r, 403, null, 1);
	}
	// The video may be a public one of another domain: so all changes count here, too.
	const scope = `domain/${mine.feed.domain}/${claims.session || ""}/${open}`;
	return answer(r, 204, scope, Math.min(yesSeconds, Math.ceil(left)));
}

// nginx hands on the challenge of a 401 that it intercepts, also to what takes its place.
function oneChallenge(r) {
	if (r.status === 401) r.headersOut["WWW-Authenticate"] = "Bearer";
	else delete r.headersOut["WWW-Authenticate"];
}

export default { feeds: feeds, verdict: verdict, oneChallenge: oneChallenge };
