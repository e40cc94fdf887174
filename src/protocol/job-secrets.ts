import { type Static, type TSchema, Type } from 'typebox'

import { described } from './described.js'

/** Where a value lies in HashiCorp Vault, and how to log in there (runner protocol, 2.14). */
export const VaultSecret = Type.Object({
  server: described(
    Type.Object({
      url: described(Type.String(), 'Its address.'),
      namespace: described(
        Type.Optional(Type.Union([Type.String(), Type.Null()])),
        'Its namespace; null = none.',
      ),
      auth: described(
        Type.Object({
          name: described(Type.String(), 'Name of the way.'),

          path: described(Type.String(), 'Where that is mounted.'),
          data: described(Type.Record(Type.String(), Type.Unknown()), 'What is sent.'),
        }),
        'How to log in there.',
      ),
    }),
    'The server of the secret.',
  ),
  engine: described(
    Type.Object({
      name: described(Type.String(), 'Its kind.'),
      path: described(Type.String(), 'Where it is mounted.'),
    }),
    'The engine that keeps it.',
  ),
  path: described(Type.String(), 'Path of the secret.'),
  field: described(Type.String(), 'Field of the secret.'),
})
export type VaultSecret = Static<typeof VaultSecret>

/** Where a value lies in Azure Key Vault, and how to sign in there. */
export const AzureSecret = Type.Object({
  name: described(Type.String(), 'Name of the secret.'),
  version: described(
    Type.Optional(Type.Union([Type.String(), Type.Null()])),
    'Version of the secret; the newest when null.',
  ),
  server: described(
    Type.Object({
      url: described(Type.String(), 'Address of the vault.'),
      client_id: described(Type.String(), 'ID of the application that signs in.'),
      tenant_id: described(Type.String(), 'ID of the tenant of the application.'),
      jwt: described(Type.String(), 'Token that the application signs in with.'),
    }),
    'The vault of the secret.',
  ),
})
export type AzureSecret = Static<typeof AzureSecret>

/** Where a value lies in Google Cloud Secret Manager, and how to sign in there. */
export const GcpSecret = Type.Object({
  name: described(Type.String(), 'Name of the secret.'),
  version: described(Type.String(), 'Version of the secret, or `latest`.'),
  server: described(
    Type.Object({
      project_number: described(Type.String(), 'Number of the project of the secret.'),
      workload_identity_federation_pool_id: described(Type.String(), 'ID of the pool of identities.'),
      workload_identity_federation_provider_id: described(Type.String(), 'ID of the provider in that pool.'),
      jwt: described(Type.String(), 'Token that is exchanged for one of Google Cloud.'),
    }),
    'The project of the secret.',
  ),
})
export type GcpSecret = Static<typeof GcpSecret>

/** Where a value lies in AWS Secrets Manager, and how to sign in there. */
export const AwsSecret = Type.Object({
  secret_id: described(Type.String(), 'Name or ARN of the secret.'),
  version_id: described(Type.Optional(Type.String()), 'ID of the version.'),
  version_stage: described(Type.Optional(Type.String()), 'Staging label of the version.'),
  field: described(Type.Optional(Type.String()), 'Field of a secret that is a JSON object.'),
  region: described(Type.Optional(Type.String()), 'Region of the secret, instead of the one of the server.'),
  role_arn: described(Type.Optional(Type.String()), 'Role, instead of the one of the server.'),
  role_session_name: described(Type.Optional(Type.String()), 'Session, instead of the one of the server.'),
  server: described(
    Type.Object({
      region: described(Type.Optional(Type.String()), 'Region of the secrets.'),
      jwt: described(Type.String(), 'Token that is exchanged for one of AWS.'),
      role_arn: described(Type.Optional(Type.String()), 'Role that is assumed.'),
      role_session_name: described(Type.Optional(Type.String()), 'Name of the session.'),
    }),
    'The account of the secret.',
  ),
})
export type AwsSecret = Static<typeof AwsSecret>

/** Where a value lies in Akeyless, and how to sign in there. */
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

/** A variable whose value the runner fetches: exactly one provider is named. */
export const JobSecret = Type.Object({
  file: described(
    Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    'Whether the value goes to a file; it does when absent.',
  ),
  vault: provider(VaultSecret, 'Where it lies in HashiCorp Vault; null = not there.'),
  azure_key_vault: provider(AzureSecret, 'Where it lies in Azure Key Vault; null = not there.'),
  gcp_secret_manager: provider(GcpSecret, 'Where it lies in Google Cloud Secret Manager; null = not there.'),
  aws_secrets_manager: provider(AwsSecret, 'Where it lies in AWS Secrets Manager; null = not there.'),
  akeyless: provider(AkeylessSecret, 'Where it lies in Akeyless; null = not there.'),
})
export type JobSecret = Static<typeof JobSecret>
