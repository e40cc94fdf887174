/** Public keys that were made for the tests; their fingerprints are those that ssh-keygen and gpg tell. */
export const ED25519_KEY = {
  line: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAII/FMBprxVVD63K12A1pUWrROiCv3b+lcyQ0teGRTyJt',
  comment: 'mary@laptop.example',
  sha256: 'i7T1+bfSLlmecxA51qlu2JbN3BrStGY1QFKefuvWVak',
  md5: 'a7:b8:de:b0:1f:2a:43:60:c2:37:e0:31:ff:c4:dc:61',
}

export const RSA_KEY =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC0FV8/zH7ZvlQkdWDLCZ+FP+CTOgFPA3bTwHW07Eb1rFjA9+VOqjNADEJKrkdC8KsHT5UG9CmB1h3OSYOzOgDTbZn+4kfZrRCLHahA/pE5meOWKvgNKxyPWIX4I6ooQDVqJKBkKpQCMR2/HEQ9BjFn32P9rQUNF9VoRvhfG0d5Ng9auA3qYvJn/rHPuoxGgp4AqkLtOES8IgU3WnfW7FHXdw8Eq+yXC/8efIcZraKhSGOWsByRmEH95zAXDpxchVtJRAw/aCU77F5z8IcjNIGzYlfPLSg4ZdDX1+XsESp2VnWk9UvJDeaUKUG6qs+o+VjFGTCRnlHPiaiJxaPaN2IL'

export const ECDSA_KEY =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBHh5mp7LbsKDlNArDoQ9EAENIw/eus9EX2cZUjSwXNtqq0UQd0ObsIQT1cmw5rwQYW/cqY/2rNT9a3GkZT1LNJc='

export const GPG_KEY = {
  armored: `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawH7sRYJKwYBBAHaRw8BAQdAs7kOHTY7gnEw/0ynKr7UqTNIlWYjNGFKjuQL
EKwWw4u0F01hcnkgPG1hcnlAZXhhbXBsZS5jb20+iJAEExYIADgWIQSulS3RDy93
M8n/wz+fGITzvkHxUgUCawH7sQIbAwULCQgHAgYVCgkICwIEFgIDAQIeAQIXgAAK
CRCfGITzvkHxUkWLAQCZOqkWtxdUPhe1wfxofNK6E6NieBIflyO9/aQruh3hsAEA
26590V3RCFSRoeFJTdm9zzJDZlg57HWEHHdl3zFLwQU=
=iFGe
-----END PGP PUBLIC KEY BLOCK-----
`,
  fingerprint: 'AE952DD10F2F7733C9FFC33F9F1884F3BE41F152',
}
