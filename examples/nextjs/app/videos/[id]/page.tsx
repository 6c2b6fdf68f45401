import { isReelmillError } from "@reelmill/node";
import { ReelmillPlayer } from "@reelmill/react";
import Link from "next/link";
import { notFound, redirect } from "next/navigation";
import { reelmill } from "../../../lib/reelmill";
import { currentPerson } from "../../../lib/session";

/** A server component with the player in it: its script and its keys come later. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
	const person = await currentPerson();
	if (!person) redirect("/");
	const video = await reelmill.videos.get((await params).id).catch((error: unknown) => {
		if (isReelmillError(error, "video_not_found") || isReelmillError(error, "invalid_video_id")) notFound();
		throw error;
	});
	if (video.uploader_ref !== person.ref) notFound();
	const name = video.external_ref ?? "A lesson";
	return (
		<>
			<header>
				<h1>{name}</h1>
				<Link href="/">All lessons</Link>
			</header>
			<ReelmillPlayer backEnd="/video" videoId={video.id} title={name} />
		</>
	);
}
