import { signIn } from "./actions";

export function SignIn() {
	return (
		<>
			<h1>Lessons</h1>
			<form action={signIn}>
				<label>
					Your name <input name="name" required maxLength={80} autoComplete="username" />
				</label>
				<button type="submit">Sign in</button>
			</form>
			<p className="quiet">Any name will do: this is an example.</p>
		</>
	);
}
