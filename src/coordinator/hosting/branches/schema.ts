import { type Static, Type } from 'typebox'

import { nameTokens } from '../../http/paging/token-paging.js'
import { described, flag } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'
import { PipelineBrief } from '../../http/presenters/present-pipeline.js'

/** API, E1. */
export const Branch = Type.Object({
  name: Type.String({ description: 'Name of the branch, without refs/heads/' }),
  commit: Type.Object(CommitRecord.properties, { description: 'Latest commit of the branch' }),
  merged: flag('Whether all of its commits are in the default branch, and its head differs from it'),
  protected: flag('Whether a protected branch rule matches it'),
  default: flag('Whether it is the default branch of the project'),
  developers_can_push: flag('Whether a rule allows developers to push to it'),
  developers_can_merge: flag('Whether a rule allows developers to merge into it'),
  can_push: flag('Whether the caller may push to it'),
  web_url: Type.String({ description: 'URL of the branch page' }),
})
export type Branch = Static<typeof Branch>

export const ListBranches = Type.Object({
  search: Type.Optional(
    Type.String({
      description: 'Part of the name, case-insensitive; ^text matches the start, text$ the end',
    }),
  ),
  regex: Type.Optional(
    Type.String({ description: 'Regular expression (RE2) that must match part of the name' }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'name_asc' | 'updated_asc' | 'updated_desc'>({
      ...OneOf('name_asc', 'updated_asc', 'updated_desc'),
      description: 'Sort order; by name if absent',
    }),
  ),
  ...nameTokens('branch'),
})
export type ListBranches = Static<typeof ListBranches>

/** What lists show about a branch beside its commit. */
export const BranchSummary = Type.Object({
  name: Type.String({ description: 'Name of the branch' }),
  ahead: described(
    Nullable(Type.Integer()),
    'Number of commits that the default branch does not have; null if they are not counted',
  ),
  behind: described(
    Nullable(Type.Integer()),
    'Number of commits of the default branch that it does not have; null if they are not counted',
  ),
  pipeline: described(
    Nullable(PipelineBrief),
    'Latest pipeline of the branch; null if there is none, or none that the caller may see',
  ),
})
export type BranchSummary = Static<typeof BranchSummary>

export const SummarizeBranches = Type.Object({
  branches: Type.Array(Type.String(), { maxItems: 100, description: 'Names of at most 100 branches' }),
})

const Name = Type.String({ minLength: 1, description: 'Name of the branch; slashes encoded as %2F' })

export const BranchName = Type.Object({ branch: Name })

export const NewBranch = Type.Object({
  branch: Type.String({ minLength: 1, description: 'Name of the new branch' }),
  ref: Type.String({ minLength: 1, description: 'Branch, tag or commit SHA to start from' }),
})
export type NewBranch = Static<typeof NewBranch>

export const ProtectOne = Type.Object({
  branch: Name,
  developers_can_push: Type.Optional(flag('Whether developers may push to the branch; default false')),
  developers_can_merge: Type.Optional(flag('Whether developers may merge into the branch; default false')),
})
export type ProtectOne = Static<typeof ProtectOne>

export const Accepted = Type.Object({ message: Type.String({ description: 'Result of the request' }) })
