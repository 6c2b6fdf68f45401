/** The style of the page: two columns, light or dark as the reader's system is. */
export const style = `
:root {
  color-scheme: light dark; --ink: light-dark(#1c2126, #e3e6e8);
  --soft: light-dark(#5b6670, #9aa4ac); --line: light-dark(#e2e6e9, #31383d);
  --paper: light-dark(#fff, #15191c); --shade: light-dark(#f5f7f8, #1c2226);
  --accent: light-dark(#0b6bcb, #6cb4ff); --bad: light-dark(#b3261e, #ff8a80);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr);
  font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem;
  border-right: 1px solid var(--line); background: var(--shade); font-size: 13px;
}
nav strong { display: block; margin: 1.2rem 0 .25rem; }
nav a {
  display: block; padding: .12rem 0; color: var(--soft); text-decoration: none; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis;
}
nav a:hover { color: var(--accent); }
main { padding: 2rem 3rem 6rem; max-width: 62rem; }
h1 { font-size: 2rem; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { margin: 4rem 0 .25rem; padding-top: 1rem; border-top: 2px solid var(--ink); font-size: 1.5rem; }
h3 { margin: 0 0 .4rem; font-size: 1.15rem; }
h4 { margin: 1.2rem 0 .35rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--soft); }
h4 a { text-transform: none; letter-spacing: 0; }
a { color: var(--accent); }
p { margin: .4rem 0; max-width: 46rem; }
code, pre { font: 12.5px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
td code, p code { background: var(--shade); padding: .05em .3em; border-radius: 3px; }
pre {
  margin: .5rem 0; padding: .9rem 1rem; background: var(--shade); border: 1px solid var(--line);
  border-radius: 6px; overflow-x: auto;
}
.operation, .schema { padding: 2rem 0 1.5rem; border-bottom: 1px solid var(--line); }
.route { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.route code { font-size: 14px; background: none; }
.method {
  font: 600 11px/1 ui-monospace, monospace; padding: .35em .55em; border-radius: 4px; color: #fff;
  background: #5b6670;
}
.get { background: #0b6bcb; }
.post { background: #18794e; }
.put, .patch { background: #96600a; }
.delete { background: #b3261e; }
.note, p.credentials { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; font-weight: 500; color: var(--soft); }
th, td {
  padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere;
}
td:first-child { width: 15rem; } td:nth-child(2):not(:last-child) { width: 14rem; }
.answers td:first-child { width: 5rem; }
.required { margin-left: .4rem; font-size: 11px; color: var(--bad); }
.status { font-variant-numeric: tabular-nums; font-weight: 600; } .failed { color: var(--bad); }
summary { cursor: pointer; margin-top: .9rem; color: var(--accent); font-size: 13.5px; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; }
  main { padding: 1.5rem; }
  td:first-child { width: 8.5rem; }
  td:nth-child(2):not(:last-child) { width: 7rem; }
}
`;
