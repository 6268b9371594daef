/** How programs and agents are connected: what to paste where, with a button that copies it. */
import { Copyable } from "./copyable.tsx";

/** Stands for the key where it is not shown. */
const NO_SECRET = "mq_...";

interface Client {
  name: string;
  where: string;
  text: string;
}

function clientsOf(address: string, key: string): Client[] {
  const url = `${address}/mcp`;
  const json = (server: unknown) => JSON.stringify({ mcpServers: { marquee: server } }, null, 2);
  const bridge = [
    ...["-y", "mcp-remote", url],
    ...(url.startsWith("http:") ? ["--allow-http"] : []),
    ...["--header", "Authorization:${AUTHORIZATION}"],
  ];
  return [
    {
      name: "Claude Code",
      where: "In a terminal",
      text: `claude mcp add --transport http marquee ${url} \\\n` +
        `  --header "Authorization: Bearer ${key}"`,
    },
    {
      name: "Claude Desktop",
      where: "In claude_desktop_config.json; it needs Node.js for the bridge",
      text: json({ command: "npx", args: bridge, env: { AUTHORIZATION: `Bearer ${key}` } }),
    },
    {
      name: "Cursor",
      where: "In .cursor/mcp.json",
      text: json({ url, headers: { Authorization: `Bearer ${key}` } }),
    },
    {
      name: "curl",
      where: "The same over REST, in a terminal",
      text: `curl ${address}/v1/brand \\\n  -H "Authorization: Bearer ${key}"`,
    },
  ];
}

interface Props {
  /** The public address of the service. */
  address: string;
  secret?: string | undefined;
}

export function Clients({ address, secret = NO_SECRET }: Props) {
  return (
    <section class="card" aria-labelledby="clients">
      <header>
        <h2 id="clients">Connect an agent or a program</h2>
        <a href={`${address}/docs/agents`}>The guide</a>
      </header>
      {secret === NO_SECRET
        ? (
          <p class="soft">
            Where <code>{NO_SECRET}</code> stands, put a key.
          </p>
        )
        : <p class="soft">Your new key is in it already.</p>}
      <div class="stack tight">
        {clientsOf(address, secret).map(({ name, where, text }, n) => (
          <details class="more" open={n === 0 && secret !== NO_SECRET}>
            <summary>{name}</summary>
            <div class="stack tight">
              <span class="soft small">{where}</span>
              <Copyable text={text} what={`what ${name} needs`} />
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}
