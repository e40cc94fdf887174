/** The source of temporary keys for a process that has no key of its own. */
export type CredentialSource =
  /** A token in a file is exchanged at the security token service. */
  | { kind: 'web-identity'; tokenFile: string; roleArn: string; sessionName: string; endpoint: string }
  /** A service beside the container. */
  | { kind: 'container'; url: string; tokenFile: string | undefined; token: string | undefined }
  /** The role of the machine, from its metadata service (IMDSv2). */
  | { kind: 'machine'; endpoint: string }

/** Variables of the environment that name a source, or say how to use it. */
export const CREDENTIAL_VARIABLES = [
  'AWS_ROLE_ARN',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_SESSION_NAME',
  'AWS_ENDPOINT_URL_STS',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  'AWS_EC2_METADATA_DISABLED',
] as const

export type CredentialVariables = Partial<Record<(typeof CREDENTIAL_VARIABLES)[number], string | undefined>>

const METADATA = 'http://169.254.169.254'
const CONTAINER = 'http://169.254.170.2'

/**
 * The source that the variables of the environment name, in the order of the tools of Amazon. Undefined if they name none
 * and `mayAskMachine` is false. Pure.
 */
export function credentialSource(
  environment: CredentialVariables,
  { region, mayAskMachine }: { region: string; mayAskMachine: boolean },
): CredentialSource | undefined {
  const tokenFile = environment['AWS_WEB_IDENTITY_TOKEN_FILE']
  const roleArn = environment['AWS_ROLE_ARN']
  if (tokenFile && roleArn) {
    return {
      kind: 'web-identity',
      tokenFile,
      roleArn,
      sessionName: environment['AWS_ROLE_SESSION_NAME'] || 'switchyard',
      endpoint: environment['AWS_ENDPOINT_URL_STS'] || tokenService(region),
    }
  }
  const path = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const url = path ? CONTAINER + path : environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (url) {
    return {
      kind: 'container',
      url,
      tokenFile: environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] || undefined,
      token: environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] || undefined,
    }
  }
  const endpoint = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT']
  const isDisabled = environment['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true'
  if (isDisabled || (!endpoint && !mayAskMachine)) return undefined
  return { kind: 'machine', endpoint: (endpoint || METADATA).replace(/\/+$/, '') }
}

function tokenService(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}
