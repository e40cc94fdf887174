import { SAMPLE_IMAGE } from './sample/files.js'

export interface Place {
  /** Of the coordinator. */
  url: string
  /** File with the administrator's token; undefined when the token came from the environment. */
  tokenFile: string | undefined
  dataDir: string
}

/** What somebody needs who wants to go on from here; the commands work as they stand. */
export function instructions({ url, tokenFile, dataDir }: Place): string[] {
  const token = tokenFile ? `$(cat ${quoted(tokenFile)})` : '$SWITCHYARD_ADMIN_TOKEN'
  const remote = url.replace('://', '://root:$TOKEN@')
  return [
    '',
    `Switchyard is at ${url}`,
    `  administrator  root, token in ${tokenFile ?? 'the environment variable SWITCHYARD_ADMIN_TOKEN'}`,
    `  data           ${dataDir}`,
    '',
    'To run the pipeline of a project of your own, in its folder (with a .gitlab-ci.yml and a commit):',
    '',
    `  TOKEN=${token}`,
    `  curl --fail --header "PRIVATE-TOKEN: $TOKEN" --data name=my-project ${url}/api/v4/projects`,
    `  git push "${remote}/root/my-project.git" HEAD:main`,
    '',
    `Jobs run in Docker containers on the network of this machine: right for one's own machine, not for a shared one.`,
    `The image ${SAMPLE_IMAGE} is here already; another one that a CI file names is fetched from its registry.`,
    '',
  ]
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
