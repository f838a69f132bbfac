import { BudgetShare } from '../../../../src/transport/policy/budget-share.js';
import { Budgets } from '../../../../src/transport/policy/budgets.js';
import type { BudgetReply, ToldBudget } from '../../../../src/transport/policy/stores.js';
import { start } from './limiter-setup.js';
import { budgetReply } from './scripted-limits.js';

export const key = 'a core';

/** A budget as the fleet knows it. */
export const known = (remaining: number, seconds = 60): ToldBudget => ({
  limit: 60,
  remaining,
  reset: start / 1000 + seconds,
  ends: seconds * 1000 - (Date.now() - start),
});

/** A share of a budget, with what it is asked. */
export function world() {
  const budgets = new Budgets(Date.now);
  const share = new BudgetShare(key, budgets, Date.now);
  /** In how many ms the store is to be asked: 0 for at once. */
  const dueIn = (waiting: number, reach = Number.POSITIVE_INFINITY) =>
    Math.max(0, Math.round(share.dueAt(waiting, reach) - performance.now()));
  /** One exchange: what it told, and what it was told. */
  const exchange = (
    waiting: number,
    reply: Partial<BudgetReply> = {},
    { reach = Number.POSITIVE_INFINITY } = {},
  ) => {
    const report = share.report(waiting, reach);
    if (report) share.took(report, budgetReply(reply), budgets.events);
    return report;
  };
  /** A call is sent, and its answer comes. */
  const call = (headers: Record<string, string>) => {
    const reservation = budgets.reserve(key);
    share.take();
    budgets.release(reservation);
    const told = budgets.correct(reservation, { credential: 'a', operation: 'x' }, headers);
    share.release();
    return told === undefined ? share.onNoReport() : share.onReported(reservation);
  };
  return { budgets, share, dueIn, exchange, call };
}
