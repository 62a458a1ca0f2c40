// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A kind of small defect in one instruction.
enum Change {
    /// A condition says yes where it said no.
    NEGATED_CONDITION {
        @Override
        boolean fits(Instruction at) {
            return at instanceof BranchInstruction branch && NEGATED.containsKey(branch.opcode());
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            var branch = (BranchInstruction) at;
            code.branch(NEGATED.get(branch.opcode()), branch.target());
        }
    },
    /// A comparison is off by one: `<` for `<=`.
    MOVED_BOUNDARY {
        @Override
        boolean fits(Instruction at) {
            return at instanceof BranchInstruction branch && MOVED.containsKey(branch.opcode());
        }

        @Override
        void probe(CodeBuilder code, Instruction at, int number) {
            if (WITH_ZERO.contains(at.opcode())) {
                code.dup().iconst_0();
            } else {
                code.dup2();
            }
            Probes.reachedIfSame(code, number);
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            var branch = (BranchInstruction) at;
            code.branch(MOVED.get(branch.opcode()), branch.target());
        }
    },
    /// A sum is a difference, an `and` an `or`, a shift one to the other side.
    OTHER_OPERATOR {
        @Override
        boolean fits(Instruction at) {
            return at instanceof OperatorInstruction operator && OPERATORS.containsKey(operator.opcode());
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            code.with(OperatorInstruction.of(OPERATORS.get(at.opcode())));
        }
    },
    /// A number is larger by one.
    OTHER_CONSTANT {
        @Override
        boolean fits(Instruction at) {
            return at instanceof ConstantInstruction constant && constant.constantValue() instanceof Number number
                    && (number instanceof Integer || number instanceof Long);
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            var value = (Number) ((ConstantInstruction) at).constantValue();
            if (value instanceof Long number) {
                code.loadConstant(number + 1);
            } else {
                code.loadConstant(value.intValue() + 1);
            }
        }
    },
    /// A method that returns nothing is not called.
    REMOVED_CALL {
        @Override
        boolean fits(Instruction at) {
            return at instanceof InvokeInstruction call
                    && call.typeSymbol().returnType().equals(ConstantDescs.CD_void)
                    && !call.name().equalsString(ConstantDescs.INIT_NAME)
                    && !call.name().equalsString("addSuppressed");
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            var call = (InvokeInstruction) at;
            List<ClassDesc> operands = new ArrayList<>(call.typeSymbol().parameterList());
            if (call.opcode() != Opcode.INVOKESTATIC) {
                operands.addFirst(ConstantDescs.CD_Object);
            }
            for (ClassDesc operand : operands.reversed()) {
                drop(code, operand);
            }
        }
    },
    /// A field keeps its value.
    REMOVED_ASSIGNMENT {
        @Override
        boolean fits(Instruction at) {
            return at instanceof FieldInstruction field && field.opcode() == Opcode.PUTFIELD
                    && !field.name().stringValue().contains("$");
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            drop(code, ((FieldInstruction) at).typeSymbol());
            code.pop();
        }
    },
    /// A method returns 0, -1.0, null, or a truth value's contrary.
    OTHER_RESULT {
        @Override
        boolean fits(Instruction at) {
            return at instanceof ReturnInstruction result && result.typeKind() != TypeKind.VOID;
        }

        @Override
        void probe(CodeBuilder code, Instruction at, int number) {
            switch (((ReturnInstruction) at).typeKind()) {
                case LONG -> {
                    code.dup2();
                    Probes.reachedUnlessZero(code, number);
                }
                case REFERENCE -> {
                    code.dup();
                    Probes.reachedUnlessNull(code, number);
                }
                default -> Probes.reached(code, number);
            }
        }

        @Override
        void apply(CodeBuilder code, Instruction at) {
            TypeKind kind = ((ReturnInstruction) at).typeKind();
            switch (kind) {
                case INT -> { // 1 for 0, else 0
                    Label zero = code.newLabel();
                    Label end = code.newLabel();
                    code.ifeq(zero).iconst_0().goto_(end).labelBinding(zero).iconst_1().labelBinding(end);
                }
                case LONG -> code.pop2().lconst_0();
                case DOUBLE -> code.pop2().loadConstant(-1.0);
                case REFERENCE -> code.pop().aconst_null();
                default -> throw new IllegalArgumentException(kind.toString());
            }
            code.return_(kind);
        }
    };

    private static final Map<Opcode, Opcode> NEGATED = both(Map.of(
            Opcode.IFEQ, Opcode.IFNE,
            Opcode.IFLT, Opcode.IFGE,
            Opcode.IFGT, Opcode.IFLE,
            Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE,
            Opcode.IF_ICMPLT, Opcode.IF_ICMPGE,
            Opcode.IF_ICMPGT, Opcode.IF_ICMPLE,
            Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE,
            Opcode.IFNULL, Opcode.IFNONNULL));
    private static final Map<Opcode, Opcode> MOVED = both(Map.of(
            Opcode.IFLT, Opcode.IFLE,
            Opcode.IFGT, Opcode.IFGE,
            Opcode.IF_ICMPLT, Opcode.IF_ICMPLE,
            Opcode.IF_ICMPGT, Opcode.IF_ICMPGE));
    /// Those of [#MOVED] that have one operand.
    private static final Set<Opcode> WITH_ZERO = EnumSet.of(Opcode.IFLT, Opcode.IFLE, Opcode.IFGT, Opcode.IFGE);
    private static final Map<Opcode, Opcode> OPERATORS = both(Map.of(
            Opcode.IADD, Opcode.ISUB,
            Opcode.LADD, Opcode.LSUB,
            Opcode.IAND, Opcode.IOR,
            Opcode.LAND, Opcode.LOR,
            Opcode.ISHL, Opcode.ISHR,
            Opcode.LSHL, Opcode.LSHR));

    /// Returns whether this defect can be in an instruction.
    abstract boolean fits(Instruction at);

    /// Writes a call of [Probes] that reports when the instruction behaves differently with the defect. The operands
    /// stay on the stack.
    ///
    /// @param number number of the place
    void probe(CodeBuilder code, Instruction at, int number) {
        Probes.reached(code, number);
    }

    /// Writes the instruction with the defect.
    abstract void apply(CodeBuilder code, Instruction at);

    private static Map<Opcode, Opcode> both(Map<Opcode, Opcode> one) {
        var both = new EnumMap<Opcode, Opcode>(one);
        one.forEach((from, to) -> both.put(to, from));
        return both;
    }

    private static void drop(CodeBuilder code, ClassDesc operand) {
        if (TypeKind.from(operand).slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }
}
