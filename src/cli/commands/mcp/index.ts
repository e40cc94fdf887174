import { Command, InvalidArgumentError, Option } from 'commander'

import { serveTools } from './serve-tools.js'

interface Given {
  server: string
  token?: string
}

/** `switchyard mcp --server URL`: the tools of a server for a program that speaks over standard input and output. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Offer the tools of a server over the Model Context Protocol, on standard input and output, until the input ends',
    )
    .addOption(
      new Option('--server <url>', 'address of the server, such as https://ci.example.com')
        .env('SWITCHYARD_SERVER')
        .argParser(readServer)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--token <token>', 'a token for it, with the scope mcp; better in the environment').env(
        'SWITCHYARD_TOKEN',
      ),
    )
    .action(({ server, token }: Given) => serveTools(server, token))
}

function readServer(given: string): string {
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given.replace(/\/+$/, '')
  throw new InvalidArgumentError('It must be an address such as https://ci.example.com.')
}
