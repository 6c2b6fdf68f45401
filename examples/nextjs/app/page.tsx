import type { Video } from "@reelmill/node";
import Link from "next/link";
import { currentPerson } from "../lib/session";
import { newestVideos } from "../lib/videos";
import { signOut } from "./actions";
import { LookAgain } from "./look-again";
import { SignIn } from "./sign-in";
import { Upload } from "./upload";

const isBusy = ({ state }: Video) => !["available", "failed", "timeout"].includes(state);
const stateOf = (video: Video) => {
	if (video.state === "available") return `${Math.round(video.duration_seconds ?? 0)} s`;
	return isBusy(video) ? "being prepared" : "could not be prepared";
};

/** A server component: the list comes with the page. */
export default async function Page() {
	const person = await currentPerson();
	if (!person) return <SignIn />;
	const videos = await newestVideos(person.ref);
	return (
		<>
			<header>
				<h1>Lessons of {person.ref}</h1>
				<form action={signOut}>
					<button type="submit">Sign out</button>
				</form>
			</header>
			<Upload />
			{videos.length === 0 && <p className="quiet">There is no lesson yet.</p>}
			<ul>
				{videos.map((video) => (
					<li key={video.id}>
						<Link href={`/videos/${video.id}`}>{video.external_ref ?? "A lesson"}</Link>
						<span className="quiet">{stateOf(video)}</span>
					</li>
				))}
			</ul>
			{videos.some(isBusy) && <LookAgain />}
		</>
	);
}
