import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./page.css";

export const metadata: Metadata = { title: "Lessons" };

export default function Layout({ children }: { children: ReactNode }) {
	return (
		<html lang="en">
			<body>
				<main>{children}</main>
			</body>
		</html>
	);
}
