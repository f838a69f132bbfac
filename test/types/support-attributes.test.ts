import { expectTypeOf, it } from 'vitest';
import {
  type Contact,
  type SupportCase,
  SupportClient,
  type WithAttributes,
} from '../../src/index.js';

interface Declared {
  segment: string;
  score?: number | null;
}

const options = { baseUrl: 'http://127.0.0.1:1/', auth: { accessToken: 'token' } };
const plain = new SupportClient(options);
const typed = new SupportClient<Declared>(options);

it('a record of a client without a type parameter has only the known fields', () => {
  expectTypeOf(plain.contacts.get).returns.resolves.toEqualTypeOf<Contact>();
  expectTypeOf(plain.cases.get).returns.resolves.toEqualTypeOf<SupportCase>();
  expectTypeOf<Contact>().not.toHaveProperty('updated_at');
  expectTypeOf<SupportCase>().not.toHaveProperty('updated_at');
  // @ts-expect-error the field is named update_date
  expectTypeOf((each: Contact) => each.updated_at);
});

it('every method of a typed client returns records with the declared attributes', () => {
  type Segment = string | null | undefined;
  type Typed = WithAttributes<Contact, Declared>;
  expectTypeOf<Typed['segment']>().toEqualTypeOf<Segment>();
  expectTypeOf<Typed['score']>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<Typed['update_date']>().toEqualTypeOf<Segment>();
  expectTypeOf<Typed>().not.toHaveProperty('updated_at');
  expectTypeOf(typed.contacts.get).returns.resolves.toEqualTypeOf<Typed>();
  expectTypeOf(typed.contacts.update).returns.resolves.toEqualTypeOf<Typed>();
  expectTypeOf(typed.contacts.updateTags).returns.resolves.toEqualTypeOf<Typed>();
  type Case = WithAttributes<SupportCase, Declared>;
  expectTypeOf(typed.cases.get).returns.resolves.toEqualTypeOf<Case>();
  expectTypeOf(typed.cases.update).returns.resolves.toEqualTypeOf<Case>();
  expectTypeOf(typed.cases.updateTags).returns.resolves.toEqualTypeOf<Case>();
  type First<List extends { first(): unknown }> = NonNullable<Awaited<ReturnType<List['first']>>>;
  expectTypeOf<First<ReturnType<typeof typed.cases.search>>>().toEqualTypeOf<Case>();
  expectTypeOf<First<ReturnType<typeof typed.cases.changedSince>>>().toEqualTypeOf<Case>();
  expectTypeOf<First<ReturnType<typeof typed.contacts.search>>>().toEqualTypeOf<Typed>();
  expectTypeOf<First<ReturnType<typeof typed.contacts.changedSince>>>().toEqualTypeOf<Typed>();
  type Created = Awaited<ReturnType<typeof typed.cases.create>>;
  expectTypeOf<NonNullable<Created['data']>['segment']>().toEqualTypeOf<Segment>();
  expectTypeOf<NonNullable<Case['contact']>['segment']>().toEqualTypeOf<Segment>();
  type New = Awaited<ReturnType<typeof typed.contacts.create>>;
  expectTypeOf<NonNullable<New['data']>['segment']>().toEqualTypeOf<Segment>();
});

it('inputs of a typed client accept only the declared attributes', () => {
  const calls = [
    () => typed.contacts.create({ name: 'Ada', attributes: { segment: 'gold', score: 1 } }),
    () => typed.cases.update({ case_id: 1, attributes: {} }),
    () => typed.cases.update({ case_id: 1 }, { extra: { body: { undeclared: 'value' } } }),
    () => plain.cases.update({ case_id: 1, attributes: { any: 'name', at: 1 } }),
    // @ts-expect-error the attribute isn't declared
    () => typed.contacts.create({ name: 'Ada', attributes: { segmnt: 'gold' } }),
    // @ts-expect-error the attribute is a string
    () => typed.cases.create({ attributes: { segment: 1 } }),
    // @ts-expect-error a null attribute can't be sent
    () => typed.cases.create({ attributes: { score: null } }),
    // @ts-expect-error an attribute is a scalar
    () => plain.cases.create({ attributes: { any: {} } }),
  ];
  expectTypeOf(calls).toBeArray();
});
