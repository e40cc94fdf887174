import { SAMPLE_IMAGE } from './sample/files.js'

export interface StartedInstance {
  /** URL of the coordinator. */
  url: string
  /** File with the administrator's token. Undefined if the token came from the environment. */
  tokenFile: string | undefined
  dataDir: string
}

/** The next steps for the user. The commands can be copied as they are. */
export function instructions({ url, tokenFile, dataDir }: StartedInstance): string[] {
  const token = tokenFile ? `$(cat ${quoted(tokenFile)})` : '$SWITCHYARD_ADMIN_TOKEN'
  const remote = url.replace('://', '://root:$TOKEN@')
  return [
    '',
    `Switchyard is at ${url}`,
    `  administrator  root, token in ${tokenFile ?? 'the environment variable SWITCHYARD_ADMIN_TOKEN'}`,
    `  data           ${dataDir}`,
    '',
    'To run the pipeline of your own project, in its folder (with a .gitlab-ci.yml and a commit):',
    '',
    `  TOKEN=${token}`,
    `  curl --fail --header "PRIVATE-TOKEN: $TOKEN" --data name=my-project ${url}/api/v4/projects`,
    `  git push "${remote}/root/my-project.git" HEAD:main`,
    '',
    `Jobs run in Docker containers on the network of this machine, which suits a personal machine, not a shared one.`,
    `The image ${SAMPLE_IMAGE} exists already. Other images in a CI file are pulled from their registry.`,
    '',
  ]
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
