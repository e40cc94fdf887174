import { type Static, type TSchema, Type } from 'typebox'

import { described } from './described.js'

/** Location of a secret in HashiCorp Vault, and the login (runner protocol, 2.14). */
export const VaultSecret = Type.Object({
  server: described(
    Type.Object({
      url: described(Type.String(), 'Its address.'),
      namespace: described(
        Type.Optional(Type.Union([Type.String(), Type.Null()])),
        'Namespace; null = none.',
      ),
      auth: described(
        Type.Object({
          name: described(Type.String(), 'Name of the authentication method.'),

          path: described(Type.String(), 'Mount path of the authentication method.'),
          data: described(Type.Record(Type.String(), Type.Unknown()), 'Data of the login request.'),
        }),
        'Login.',
      ),
    }),
    'The server of the secret.',
  ),
  engine: described(
    Type.Object({
      name: described(Type.String(), 'Its kind.'),
      path: described(Type.String(), 'Mount path of the secrets engine.'),
    }),
    'Secrets engine.',
  ),
  path: described(Type.String(), 'Path of the secret.'),
  field: described(Type.String(), 'Field of the secret.'),
})
export type VaultSecret = Static<typeof VaultSecret>

/** Location of a secret in Azure Key Vault, and the login. */
export const AzureSecret = Type.Object({
  name: described(Type.String(), 'Name of the secret.'),
  version: described(
    Type.Optional(Type.Union([Type.String(), Type.Null()])),
    'Version of the secret; null = the latest.',
  ),
  server: described(
    Type.Object({
      url: described(Type.String(), 'URL of the vault.'),
      client_id: described(Type.String(), 'ID of the application that logs in.'),
      tenant_id: described(Type.String(), 'ID of the tenant of the application.'),
      jwt: described(Type.String(), 'Token of the application for the login.'),
    }),
    'The vault of the secret.',
  ),
})
export type AzureSecret = Static<typeof AzureSecret>

/** Location of a secret in Google Cloud Secret Manager, and the login. */
export const GcpSecret = Type.Object({
  name: described(Type.String(), 'Name of the secret.'),
  version: described(Type.String(), 'Version of the secret, or `latest`.'),
  server: described(
    Type.Object({
      project_number: described(Type.String(), 'Number of the project of the secret.'),
      workload_identity_federation_pool_id: described(Type.String(), 'ID of the workload identity pool.'),
      workload_identity_federation_provider_id: described(Type.String(), 'ID of the provider in that pool.'),
      jwt: described(Type.String(), 'Token that is exchanged for a Google Cloud token.'),
    }),
    'The project of the secret.',
  ),
})
export type GcpSecret = Static<typeof GcpSecret>

/** Location of a secret in AWS Secrets Manager, and the login. */
export const AwsSecret = Type.Object({
  secret_id: described(Type.String(), 'Name or ARN of the secret.'),
  version_id: described(Type.Optional(Type.String()), 'ID of the version.'),
  version_stage: described(Type.Optional(Type.String()), 'Staging label of the version.'),
  field: described(Type.Optional(Type.String()), 'Field of a secret that is a JSON object.'),
  region: described(Type.Optional(Type.String()), 'Region of the secret; overrides that of the server.'),
  role_arn: described(Type.Optional(Type.String()), 'Role; overrides that of the server.'),
  role_session_name: described(Type.Optional(Type.String()), 'Session name; overrides that of the server.'),
  server: described(
    Type.Object({
      region: described(Type.Optional(Type.String()), 'Region of the secrets.'),
      jwt: described(Type.String(), 'Token that is exchanged for AWS credentials.'),
      role_arn: described(Type.Optional(Type.String()), 'Role to assume.'),
      role_session_name: described(Type.Optional(Type.String()), 'Name of the session.'),
    }),
    'The account of the secret.',
  ),
})
export type AwsSecret = Static<typeof AwsSecret>

/** Location of a secret in Akeyless, and the login. */
export const AkeylessSecret = Type.Object({
  name: described(Type.Optional(Type.String()), 'Name of the item.'),
  data_key: described(Type.Optional(Type.String()), 'Key in the value of the item.'),
  cert_user_name: described(Type.Optional(Type.String()), 'User of an SSH certificate.'),
  public_key_data: described(Type.Optional(Type.String()), 'Public key of a certificate.'),
  csr_data: described(Type.Optional(Type.String()), 'Signing request of a certificate.'),
  server: described(Type.Record(Type.String(), Type.String()), 'The account of the item.'),
})
export type AkeylessSecret = Static<typeof AkeylessSecret>

function provider<T extends TSchema>(schema: T, description: string) {
  return described(Type.Optional(Type.Union([schema, Type.Null()])), description)
}

/** A variable whose value the runner fetches from exactly one provider. */
export const JobSecret = Type.Object({
  file: described(
    Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    'Whether the value is written to a file; true if absent.',
  ),
  vault: provider(VaultSecret, 'Location in HashiCorp Vault; null = another provider.'),
  azure_key_vault: provider(AzureSecret, 'Location in Azure Key Vault; null = another provider.'),
  gcp_secret_manager: provider(
    GcpSecret,
    'Location in Google Cloud Secret Manager; null = another provider.',
  ),
  aws_secrets_manager: provider(AwsSecret, 'Location in AWS Secrets Manager; null = another provider.'),
  akeyless: provider(AkeylessSecret, 'Location in Akeyless; null = another provider.'),
})
export type JobSecret = Static<typeof JobSecret>
