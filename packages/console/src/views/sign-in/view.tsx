import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiProvider, useAction, useCall } from "../../api/api.tsx";
import { type Session, signedIn } from "../../api/session.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Problem } from "../../components/problem.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { FrontDoor } from "../../frame/front-door.tsx";
import { takeLink } from "./link.ts";
import styles from "./sign-in.module.css";

const route = getRouteApi("/sign-in");

/** Signing in: by the one-time link that the server printed, by the secret, or at the identity provider. */
export function SignIn() {
	return (
		<ApiProvider domainId={null}>
			<FrontDoor title="Sign in">
				<Ways />
			</FrontDoor>
		</ApiProvider>
	);
}

function Ways() {
	const { reason } = route.useSearch();
	const [link] = useState(takeLink);
	const enter = useEnter();
	const ways = useCall("getConsoleSignIn", {});
	const byLink = useAction("createConsoleSession", { changes: [], onSuccess: enter });
	const { mutate } = byLink;
	useEffect(() => {
		if (link !== null) mutate({ body: { link } });
	}, [link, mutate]);
	if (link !== null && byLink.error === null) return <Skeleton lines={2} />;
	return (
		<div className="stack">
			{reason === "disabled" && (
				<p role="alert" className={styles.notice}>
					This account is disabled. Ask an admin of this installation to enable it.
				</p>
			)}
			<Problem
				error={byLink.error}
				advice="A sign-in link works once, for a few minutes. Start the server again for a new one, or use the secret."
			/>
			{ways.data === undefined && ways.error === null && <Skeleton lines={2} />}
			<Problem error={ways.error} onRetry={() => void ways.refetch()} />
			{ways.data?.provider && (
				<a href="/console/v1/oauth/start" className={styles.provider}>
					Sign in with your organisation
				</a>
			)}
			{ways.data?.provider && ways.data.secret && <p className="muted">or</p>}
			{ways.data?.secret && <SecretForm onSignedIn={enter} />}
			{ways.data && !ways.data.provider && !ways.data.secret && (
				<p>
					No sign-in is set up. Start the server with <code>REELMILL_CONSOLE_SECRET</code>, or with the settings of an
					identity provider.
				</p>
			)}
		</div>
	);
}

function SecretForm({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
	const [secret, setSecret] = useState("");
	const signIn = useAction("createConsoleSession", { changes: [], onSuccess: onSignedIn });
	return (
		<form
			className="stack"
			onSubmit={(event) => {
				event.preventDefault();
				if (!signIn.isPending) signIn.mutate({ body: { secret } });
			}}
		>
			<Field
				label="Console secret"
				type="password"
				name="secret"
				autoComplete="current-password"
				value={secret}
				onChange={setSecret}
				hint="The value of REELMILL_CONSOLE_SECRET, or the file console.secret in the server's data directory."
				isRequired
			/>
			<Problem error={signIn.error} />
			<Button kind="primary" type="submit" isPending={signIn.isPending}>
				Sign in
			</Button>
		</form>
	);
}

/** Takes over the session, and goes back to where the person was: always a path below the page's own. */
function useEnter(): (session: Session) => void {
	const { back } = route.useSearch();
	const queryClient = useQueryClient();
	const router = useRouter();
	return (session) => {
		signedIn(queryClient, session);
		const path = back?.startsWith("/") && !back.startsWith("/sign-in") ? back : "/";
		router.history.replace(`${router.basepath}${path}`);
	};
}
