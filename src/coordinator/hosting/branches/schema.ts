import { type Static, Type } from 'typebox'

import { nameTokens } from '../../http/paging/token-paging.js'
import { flag } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'

/** API, E1. */
export const Branch = Type.Object({
  name: Type.String({ description: 'Name of the branch, without refs/heads/' }),
  commit: Type.Object(CommitRecord.properties, { description: 'Latest commit of the branch' }),
  merged: flag('Whether all of its commits are in the default branch, and it is not at the same commit'),
  protected: flag('Whether a rule of the protected branches applies to it'),
  default: flag('Whether it is the default branch of the project'),
  developers_can_push: flag('Whether a rule lets developers push to it'),
  developers_can_merge: flag('Whether a rule lets developers merge into it'),
  can_push: flag('Whether the caller may push to it'),
  web_url: Type.String({ description: 'Address of the page of the branch' }),
})
export type Branch = Static<typeof Branch>

export const ListBranches = Type.Object({
  search: Type.Optional(
    Type.String({ description: 'Part of the name; ^text for its start, text$ for its end; in either case' }),
  ),
  regex: Type.Optional(
    Type.String({ description: 'Regular expression (RE2) that must match somewhere in the name' }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'name_asc' | 'updated_asc' | 'updated_desc'>({
      ...OneOf('name_asc', 'updated_asc', 'updated_desc'),
      description: 'Order of the list; by name when it is left out',
    }),
  ),
  ...nameTokens('branch'),
})
export type ListBranches = Static<typeof ListBranches>

const Name = Type.String({ minLength: 1, description: 'Name of the branch; slashes encoded as %2F' })

export const BranchName = Type.Object({ branch: Name })

export const NewBranch = Type.Object({
  branch: Type.String({ minLength: 1, description: 'Name of the new branch' }),
  ref: Type.String({ minLength: 1, description: 'Branch, tag or commit SHA that it starts from' }),
})
export type NewBranch = Static<typeof NewBranch>

export const ProtectOne = Type.Object({
  branch: Name,
  developers_can_push: Type.Optional(flag('Whether developers may push to it; default false')),
  developers_can_merge: Type.Optional(flag('Whether developers may merge into it; default false')),
})
export type ProtectOne = Static<typeof ProtectOne>

export const Accepted = Type.Object({ message: Type.String({ description: 'What became of the request' }) })
