//! Pattern assignment of 4.1: a value is taken apart by a list, dictionary or table of names.
//!
//! The filters and indices of a pattern are evaluated first, then the whole pattern is matched by
//! one step (`matching`), so that nothing is assigned unless everything matches.

use syntax::{AssignNode, Kind, Node, Target};
use values::{K, Result, Signal};

use super::{Compiler, primitive};
use crate::code::{Change, Instruction, Matching, Pattern, Place};

/// The expressions of a pattern, in the order of their numbers.
type Expressions<'n> = Vec<&'n Node>;

impl Compiler<'_, '_> {
    /// Takes apart the value on top of the stack, leaving it as the filters make it. `place` is
    /// where the pattern as a whole fails: the colon.
    pub(super) fn pattern(&mut self, pattern: &Node, place: u32) -> Result<()> {
        let matching = self.matching(pattern, place)?;
        self.emit_at(Instruction::Match(Box::new(matching)), place);
        Ok(())
    }

    /// `:[value;pattern;result;..;default]`: the result of the first pattern that matches.
    pub(super) fn pattern_cond(&mut self, parts: &[Option<Node>], node: &Node) -> Result<()> {
        let mut parts = parts.iter().map(Option::as_ref);
        self.part(parts.next().flatten(), node)?;
        let mut ends = Vec::new();
        while parts.len() >= 2 {
            let (pattern, result) = (parts.next().flatten(), parts.next().flatten());
            let matching = match pattern {
                Some(pattern) => self.matching(pattern, pattern.start)?,
                None => Matching {
                    pattern: Pattern::Any,
                    expressions: 0,
                },
            };
            let skip = self.jump(|t| Instruction::TryMatch(Box::new(matching), t), node);
            self.part(result, node)?;
            ends.push(self.jump(Instruction::Jump, node));
            self.land(skip);
        }
        self.emit(Instruction::Pop, node);
        self.part(parts.next().flatten(), node)?;
        for end in ends {
            self.land(end);
        }
        Ok(())
    }

    fn part(&mut self, part: Option<&Node>, node: &Node) -> Result<()> {
        match part {
            Some(part) => self.expression(part),
            None => {
                self.constant(K::Nil, node.start);
                Ok(())
            }
        }
    }

    /// The pattern of a node; the code of its expressions is emitted, the first one last.
    fn matching(&mut self, node: &Node, place: u32) -> Result<Matching> {
        let mut expressions = Vec::new();
        let pattern = self.shape(node, place, &mut expressions)?;
        for expression in expressions.iter().rev() {
            self.expression(expression)?;
        }
        let expressions = expressions.len() as u16;
        Ok(Matching {
            pattern,
            expressions,
        })
    }

    fn shape<'n>(
        &mut self,
        node: &'n Node,
        place: u32,
        found: &mut Expressions<'n>,
    ) -> Result<Pattern> {
        Ok(match &node.kind {
            Kind::Paren(inner) => self.shape(inner, place, found)?,
            Kind::Name(name) => Pattern::Variable(self.variable(*name, true)),
            Kind::List(items) => Pattern::List(self.items(items, node, found)?, node.start),
            Kind::Assign(typed) => self.typed(typed, found)?,
            // `:check` with nothing before the colon.
            Kind::Return(check) => checked(Pattern::Any, check, node.start, found),
            Kind::Constant(K::Nil) => Pattern::Any,
            Kind::Constant(k) => Pattern::Constant(k.clone(), place),
            Kind::Compose(parts) => self.literal_with_gaps(parts, node, found)?,
            Kind::Apply(f, arguments) => match primitive(f) {
                Some(p) if p.name == "!" => self.keyed(arguments, node, found)?,
                Some(p) if p.name == "+:" => match arguments.as_slice() {
                    [Some(inner)] => {
                        let inner = self.shape(inner, place, found)?;
                        Pattern::Flip(Box::new(inner), node.start)
                    }
                    _ => return Err(not_a_pattern()),
                },
                Some(p) if p.word == "enlist" => {
                    Pattern::List(self.items(arguments, node, found)?, node.start)
                }
                _ => self.indexed(f, arguments, found)?,
            },
            _ => return Err(not_a_pattern()),
        })
    }

    fn items<'n>(
        &mut self,
        items: &'n [Option<Node>],
        node: &Node,
        found: &mut Expressions<'n>,
    ) -> Result<Vec<(Pattern, u32)>> {
        let each = items.iter().map(|item| {
            Ok(match item {
                Some(item) => (self.shape(item, item.start, found)?, item.start),
                None => (Pattern::Any, node.start),
            })
        });
        each.collect()
    }

    /// `keys!values`: constant keys that must be there, or patterns for both sides.
    fn keyed<'n>(
        &mut self,
        sides: &'n [Option<Node>],
        node: &'n Node,
        found: &mut Expressions<'n>,
    ) -> Result<Pattern> {
        let [Some(keys), values] = sides else {
            return Err(not_a_pattern());
        };
        let keys = bare(keys);
        let values = values.as_ref().map(bare);
        if let (Kind::Constant(names), Some(values)) = (&keys.kind, values)
            && let Some(items) = listed(values)
        {
            let items = self.items(items, values, found)?;
            return Ok(Pattern::Keys(names.clone(), items, node.start));
        }
        let keys = self.shape(keys, keys.start, found)?;
        let values = match values {
            Some(values) => self.shape(values, values.start, found)?,
            None => Pattern::Any,
        };
        Ok(Pattern::Sides(Box::new(keys), Box::new(values), node.start))
    }

    /// `([a:;b:c])`, which the parser gives as `!` with its names, composed with a list of gaps.
    fn literal_with_gaps<'n>(
        &mut self,
        parts: &'n [Node],
        node: &'n Node,
        found: &mut Expressions<'n>,
    ) -> Result<Pattern> {
        let [front, values] = parts else {
            return Err(not_a_pattern());
        };
        let Kind::Apply(f, arguments) = &front.kind else {
            return Err(not_a_pattern());
        };
        match (primitive(f), arguments.as_slice()) {
            (Some(p), [Some(names), None]) if p.name == "!" => {
                let Kind::Constant(names) = &names.kind else {
                    return Err(not_a_pattern());
                };
                let items = match &values.kind {
                    Kind::List(items) => self.items(items, node, found)?,
                    _ => vec![(Pattern::Any, node.start)],
                };
                Ok(Pattern::Keys(names.clone(), items, node.start))
            }
            _ => Err(not_a_pattern()),
        }
    }

    /// `(x[i]):e` sets an item.
    fn indexed<'n>(
        &mut self,
        f: &Node,
        arguments: &'n [Option<Node>],
        found: &mut Expressions<'n>,
    ) -> Result<Pattern> {
        let Kind::Name(name) = f.kind else {
            return Err(not_a_pattern());
        };
        if arguments.len() > 31 {
            return Err(Signal::rank().with_note("an index has at most 31 levels"));
        }
        let first = found.len() as u16;
        let mut given = 0u32;
        for (i, index) in arguments.iter().enumerate() {
            if let Some(index) = index {
                found.push(index);
                given |= 1 << i;
            }
        }
        let place = Place {
            variable: self.variable(name, true),
            indices: arguments.len() as u8,
            given,
            operator: false,
            change: Change::Set,
        };
        Ok(Pattern::Indexed(place, first))
    }

    /// `pattern:check`: a type symbol to check, or a filter function to apply.
    fn typed<'n>(&mut self, typed: &'n AssignNode, found: &mut Expressions<'n>) -> Result<Pattern> {
        let inner = match &typed.target {
            Target::Name(name) => Pattern::Variable(self.variable(*name, true)),
            Target::Pattern(inner) => self.shape(inner, inner.start, found)?,
            Target::Indexed(..) => return Err(Signal::assign()),
        };
        Ok(checked(inner, &typed.value, typed.colon, found))
    }
}

fn checked<'n>(
    inner: Pattern,
    check: &'n Node,
    place: u32,
    found: &mut Expressions<'n>,
) -> Pattern {
    let inner = Box::new(inner);
    let letter = match &check.kind {
        Kind::Constant(K::Symbol(s)) => match s.bytes() {
            [letter] => Some(*letter),
            _ => None,
        },
        Kind::Constant(K::Char(letter)) => Some(*letter),
        _ => None,
    };
    match letter {
        Some(letter) => Pattern::Typed(inner, letter, place),
        None => {
            found.push(check);
            Pattern::Filtered(inner, found.len() as u16 - 1, place)
        }
    }
}

/// The items of a list that is written as one.
fn listed(node: &Node) -> Option<&[Option<Node>]> {
    match &node.kind {
        Kind::List(items) => Some(items),
        Kind::Apply(f, items) if super::is_enlist(f) => Some(items),
        _ => None,
    }
}

fn bare(node: &Node) -> &Node {
    match &node.kind {
        Kind::Paren(inner) => bare(inner),
        _ => node,
    }
}

fn not_a_pattern() -> Signal {
    Signal::assign().with_note("not a pattern that can be assigned to")
}
