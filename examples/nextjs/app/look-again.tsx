"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Draws the page again every two seconds. It asks this server alone, which a webhook tells what is ready. */
export function LookAgain() {
	const router = useRouter();
	useEffect(() => {
		const timer = setInterval(() => router.refresh(), 2000);
		return () => clearInterval(timer);
	}, [router]);
	return null;
}
