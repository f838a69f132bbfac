import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AdminStatsAnswer } from '../../src/hosting/models/admin-stats.js';
import * as models from '../../src/hosting/models/index.js';
import { type Model, model } from '../../src/schema/model.js';

// tsc holds the expectations of this file; the run only shows that the values are there.
describe('types of the hosting models', () => {
  it('a model is a type and a value of one name', () => {
    expectTypeOf(models.Release).toEqualTypeOf<Model<models.Release>>();
    expectTypeOf(models.PullRequest).toEqualTypeOf<Model<models.PullRequest>>();
    expect(models.Release.name).toBe('Release');
  });

  it('what may be absent or null says so', () => {
    expectTypeOf<models.PullRequest['merged_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.PullRequestBranch['repo']>().toEqualTypeOf<models.Repository | null>();
    expectTypeOf<models.Release['published_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.User['site_admin']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<models.Repository['language']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<models.CommitComment['position']>().toEqualTypeOf<number | null>();
    expectTypeOf<models.Repository['id']>().toEqualTypeOf<number>();
  });

  it('content entries are told apart by type', () => {
    const sizeOrTarget = (entry: models.ContentEntry): number | string => {
      switch (entry.type) {
        case 'file':
          expectTypeOf(entry).toEqualTypeOf<models.ContentFile>();
          return entry.content?.length ?? 0;
        case 'dir':
          expectTypeOf(entry).toEqualTypeOf<models.ContentDirectory>();
          return entry.size;
        case 'symlink':
          expectTypeOf(entry.target).toEqualTypeOf<string>();
          return entry.target;
        case 'submodule':
          expectTypeOf(entry.submodule_git_url).toEqualTypeOf<string | null>();
          return entry.size;
      }
    };
    expectTypeOf(sizeOrTarget).returns.toEqualTypeOf<number | string>();
    expectTypeOf<models.ContentFileItem>().not.toHaveProperty('content');
    expectTypeOf<models.ContentResult>()
      .exclude<models.ContentEntry>()
      .toEqualTypeOf<models.ContentItem[]>();
  });

  it('variants of a commit comment carry the text that they promise, and no other', () => {
    expectTypeOf<models.CommitComment>().toHaveProperty('body');
    expectTypeOf<models.CommitCommentText>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml['body_html']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.CommitCommentFull>().toExtend<
      models.CommitComment & models.CommitCommentText & models.CommitCommentHtml
    >();
  });

  it('a team is a summary with more; statistics are typed by their type', () => {
    expectTypeOf<models.Team>().toExtend<models.TeamSummary>();
    expectTypeOf<models.TeamSummary>().not.toHaveProperty('members_count');
    expectTypeOf<models.AdminStats['pulls']>().toEqualTypeOf<models.PullRequestStats>();
    expectTypeOf<models.AdminStatsType>().toEqualTypeOf<
      | 'repos'
      | 'hooks'
      | 'pages'
      | 'orgs'
      | 'users'
      | 'pulls'
      | 'issues'
      | 'milestones'
      | 'gists'
      | 'comments'
    >();
    expectTypeOf<AdminStatsAnswer<'pages'>>().toEqualTypeOf<
      models.PagesStats | { pages: models.PagesStats }
    >();
  });

  it('enumerations stay open, and config takes settings of any service', () => {
    expectTypeOf<'a state of tomorrow'>().toExtend<models.PullRequest['state']>();
    expectTypeOf<number>().not.toExtend<models.PullRequest['state']>();
    expectTypeOf<models.HookConfig['railsbp_url']>().toEqualTypeOf<unknown>();
    expectTypeOf<models.HookConfig['url']>().toEqualTypeOf<string | null | undefined>();
  });

  it('an author without an account can be asked for its login', () => {
    const login = (commit: models.PullCommit) => commit.author?.login;
    expectTypeOf(login).returns.toEqualTypeOf<string | null | undefined>();
  });

  it('a schema that differs from its interface does not compile', () => {
    interface Named {
      name: string;
    }
    // @ts-expect-error the schema lacks a field
    model<Named>()('Named', () => ({}));
    // @ts-expect-error the schema has a field too many
    model<Pick<Named, never>>()('Named', () => ({ name: models.User }));
  });
});
