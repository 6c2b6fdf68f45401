import { renderToString } from "react-dom/server";
import { App } from "./app.tsx";

console.log(renderToString(<App />));
