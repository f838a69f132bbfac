import { BudgetShare } from '../../../../src/transport/fleet/budget-share.js';
import { Budgets } from '../../../../src/transport/limits/budgets.js';
import type {
  BudgetReply,
  ReportedBudget,
} from '../../../../src/transport/limits/shared-limits.js';
import { start } from '../limits/limiter-setup.js';
import { budgetReply } from './scripted-limits.js';

export const key = 'a core';

/** Creates a reported quota whose window ends `seconds` after the start. */
export const known = (remaining: number, seconds = 60): ReportedBudget => ({
  limit: 60,
  remaining,
  reset: start / 1000 + seconds,
  ends: seconds * 1000 - (Date.now() - start),
});

/** Creates a share of a quota and functions to use it. */
export function world() {
  const budgets = new Budgets(Date.now);
  const share = new BudgetShare(key, budgets, Date.now);
  /** Returns the time in ms until the next exchange, or 0 if the exchange is due. */
  const dueIn = (waiting: number, reach = Number.POSITIVE_INFINITY) =>
    Math.max(0, Math.round(share.dueAt(waiting, reach) - performance.now()));
  /** Exchanges a report for a reply and returns the report. */
  const exchange = (
    waiting: number,
    reply: Partial<BudgetReply> = {},
    { reach = Number.POSITIVE_INFINITY } = {},
  ) => {
    const report = share.report(waiting, reach);
    if (report) share.applyReply(report, budgetReply(reply), budgets.events);
    return report;
  };
  /** Makes a call and delivers its response. */
  const call = (headers: Record<string, string>) => {
    const reservation = budgets.reserve(key);
    share.take();
    budgets.release(reservation);
    const reportedKey = budgets.correct(reservation, { credential: 'a', operation: 'x' }, headers);
    share.release();
    return reportedKey === undefined ? share.onNoReport() : share.onReported(reservation);
  };
  return { budgets, share, dueIn, exchange, call };
}
