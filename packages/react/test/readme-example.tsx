import { ReelmillPlayer, ReelmillUploader } from "@reelmill/react";
import { useState } from "react";

export function Videos() {
	const [id, setId] = useState<string | null>(null);
	return id === null ? (
		<ReelmillUploader backEnd="/video" camera onDone={({ upload }) => setId(upload?.videoId ?? null)} />
	) : (
		<ReelmillPlayer backEnd="/video" videoId={id} />
	);
}
