import * as z from 'zod/mini';
import { model, ref } from '../../schema/model.js';
import { Repository } from './repository.js';
import { User } from './user.js';

/** A user with the time of the star: what lists answer for the media type `star`. */
export interface Stargazer {
  /** When it was starred, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** Who starred it. */
  user: User;
}

/** A repository with the time of the star: what lists answer for the media type `star`. */
export interface StarredRepository {
  /** When it was starred, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** What was starred. */
  repo: Repository;
}

export const Stargazer = model<Stargazer>()('Stargazer', () => ({
  starred_at: z.string(),
  user: ref(User),
}));

export const StarredRepository = model<StarredRepository>()('StarredRepository', () => ({
  starred_at: z.string(),
  repo: ref(Repository),
}));
