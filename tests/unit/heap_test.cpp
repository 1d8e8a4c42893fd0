// The collector alone: cells of a made-up kind, no Vm.
#include "runtime/heap/heap.h"
#include "runtime/heap/root.h"
#undef CHECK // doctest's from here on
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <random>

using namespace scr;

namespace {

constexpr u8 PairKind = 1, RunKind = 2, BytesKind = 3;

struct Pair : Cell {
    Pair* first;
    Pair* second;
    u64 number;
};
struct Words : Cell { // Cell::shape is how many
    u64 words[];
};

/// A heap in which nothing is found by accident: the C++ stack is not scanned.
struct PreciseHeap : Heap {
    std::vector<Pair*> pairs;
    PreciseHeap() {
        setTrace(PairKind, [](Cell* cell, Marker& marker) {
            marker.mark(static_cast<Pair*>(cell)->first);
            marker.mark(static_cast<Pair*>(cell)->second);
        });
        setTrace(RunKind,
            [](Cell* cell, Marker& marker) { marker.markValues(static_cast<Words*>(cell)->words, cell->shape); });
        addRoots(
            [](void* self, Marker& marker) {
                for (Pair* pair : static_cast<PreciseHeap*>(self)->pairs)
                    marker.mark(pair);
            },
            this);
    }
    Pair* pair(Pair* first = nullptr, Pair* second = nullptr, u64 number = 0) {
        auto* cell = static_cast<Pair*>(allocate(sizeof(Pair), PairKind, 7));
        cell->first = first;
        cell->second = second;
        cell->number = number;
        return cell;
    }
};

u64 tagged(const Cell* cell) { return 0xFFFCull << 48 | u64(cell); }

}

TEST_SUITE("heap") {

    TEST_CASE("Size classes hold what is asked for and waste at most a quarter") {
        for (size_t bytes = 8; bytes <= Heap::LargestSmall; bytes++) {
            size_t size = Heap::cellSize(Heap::sizeClassOf(bytes));
            REQUIRE(size >= bytes);
            REQUIRE(size % 16 == 0);
            REQUIRE((size <= 128 ? size < bytes + 16 : size * 4 <= bytes * 5));
        }
        CHECK(Heap::sizeClassOf(Heap::LargestSmall) == Heap::SizeClassCount - 1);
    }

    TEST_CASE("A new heap takes no memory for cells") {
        Heap heap;
        CHECK(heap.reservedBytes() == 0);
        CHECK(heap.findCell(0x1234) == nullptr);
        heap.collect();
        CHECK(heap.usedBytes() == 0);
    }

    TEST_CASE("Allocation writes the header") {
        PreciseHeap heap;
        for (size_t bytes : {8, 16, 32, 100, 129, 2048, 2049, 100000}) {
            Cell* cell = heap.allocate(bytes, BytesKind, 42);
            CHECK(cell->shape == 42);
            CHECK(cell->kind == BytesKind);
            CHECK((cell->flags == 0 && cell->aux == 0 && cell->age == 0));
            CHECK(heap.bytesOf(cell) >= bytes);
        }
        CHECK(heap.verify() == nullptr);
    }

    TEST_CASE("What roots reach survives, the rest is used again") {
        PreciseHeap heap;
        Pair* shared = heap.pair(nullptr, nullptr, 99);
        heap.pairs.push_back(heap.pair(shared, heap.pair(shared), 1));
        for (int i = 0; i < 100000; i++)
            heap.pair(shared);
        heap.collect();
        CHECK(heap.usedBytes() == 3 * 32);
        CHECK(shared->number == 99);
        CHECK(heap.verify() == nullptr);
    }

    TEST_CASE("Cycles are collected, and a list of a million does not overflow the stack") {
        PreciseHeap heap;
        Pair* head = nullptr;
        for (u64 i = 0; i < 1000000; i++) {
            head = heap.pair(head, nullptr, i);
            heap.pairs = {head};
        }
        heap.collect();
        CHECK(heap.usedBytes() == 32000000);
        Pair* last = head;
        while (last->first)
            last = last->first;
        last->second = head;
        heap.pairs.clear();
        heap.collect();
        CHECK(heap.usedBytes() == 0);
        CHECK(heap.reservedBytes() < 8u << 20); // empty chunks went back
    }

    TEST_CASE("Random graphs: exactly what is reachable lives, with its contents") {
        PreciseHeap heap;
        std::mt19937 random(5);
        heap.pairs.resize(500);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 500; i++) {
                Pair* first = heap.pairs[random() % 500];
                Pair* second = random() % 4 ? nullptr : heap.pairs[random() % 500];
                size_t at = random() % 500;
                heap.pairs[at] = heap.pair(first, second);
                heap.pairs[at]->number = u64(heap.pairs[at]) ^ 0x5555;
                if (random() % 3 == 0)
                    heap.pairs[at]->first = nullptr;
            }
            if (round % 10 == 0)
                heap.collect();
        }
        heap.collect();
        REQUIRE(heap.verify() == nullptr);
        std::vector<Pair*> pending(heap.pairs);
        std::vector<Pair*> seen;
        while (!pending.empty()) {
            Pair* pair = pending.back();
            pending.pop_back();
            if (!pair || pair->kind != PairKind)
                continue;
            REQUIRE(pair->number == (u64(pair) ^ 0x5555));
            REQUIRE(heap.findCell(u64(pair)) == pair);
            pair->kind = BytesKind; // visited
            seen.push_back(pair);
            pending.push_back(pair->first);
            pending.push_back(pair->second);
        }
        CHECK(heap.usedBytes() == seen.size() * 32);
    }

    TEST_CASE("A word is taken for a reference if it points into a live cell") {
        PreciseHeap heap;
        Pair* pair = heap.pair();
        heap.pairs = {pair};
        CHECK(heap.findCell(u64(pair)) == pair);
        CHECK(heap.findCell(u64(pair) + 31) == pair);
        CHECK(heap.findCell(tagged(pair)) == pair);
        CHECK(heap.findCell(tagged(pair) + 8) == pair);
        CHECK(heap.findCell(u64(pair) + 32) == nullptr); // not handed out yet
        CHECK(heap.findCell(0xFFFFull << 48 | u64(pair)) == nullptr); // an int32
        CHECK(heap.findCell(1ull << 48 | u64(pair)) == nullptr);
        Pair* dead = heap.pair();
        heap.collect();
        CHECK(heap.findCell(u64(pair)) == pair);
        CHECK(heap.findCell(u64(dead)) == nullptr);

        Cell* large = heap.allocate(10000, BytesKind, 0);
        CHECK(heap.findCell(u64(large)) == large);
        CHECK(heap.findCell(tagged(large) + 9999) == large);
        CHECK(heap.findCell(u64(large) + 10000) == nullptr);
        CHECK(heap.findCell(u64(large) - 1) == nullptr);
        heap.collect();
        CHECK(heap.usedBytes() == 32);
    }

    TEST_CASE("Cells of sizes that do not divide a block are found by their inside") {
        PreciseHeap heap;
        for (unsigned i = 0; i < Heap::SizeClassCount; i++) {
            size_t size = Heap::cellSize(i);
            for (int n = 0; n < 40; n++) {
                Cell* cell = heap.allocate(size, BytesKind, 0);
                REQUIRE(heap.findCell(u64(cell)) == cell);
                REQUIRE(heap.findCell(u64(cell) + size - 1) == cell);
            }
        }
    }

    TEST_CASE("Long runs of values are traced, in parts") {
        PreciseHeap heap;
        constexpr u32 Count = 300000;
        RootList roots;
        heap.addRoots(RootList::trace, &roots);
        Cell* cell = heap.allocate(8 + Count * 8, RunKind, 0);
        Root<Cell*> root(roots, cell);
        auto* run = static_cast<Words*>(cell);
        for (u32 i = 0; i < Count; i++) {
            run->words[i] = tagged(heap.pair(nullptr, nullptr, i));
            run->shape = i + 1; // what is not written yet is not traced
        }
        heap.collect();
        CHECK(heap.usedBytes() == 8 + Count * 8 + Count * 32);
        bool intact = true;
        for (u32 i = 0; i < Count; i++)
            intact &= reinterpret_cast<Pair*>(run->words[i] & 0xFFFFFFFFFFFF)->number == i;
        CHECK(intact);
        root.set(nullptr);
        heap.collect();
        CHECK(heap.usedBytes() == 0);
    }

    TEST_CASE("Large cells grow, shrink, and become small") {
        PreciseHeap heap;
        RootList roots;
        heap.addRoots(RootList::trace, &roots);
        std::vector<std::unique_ptr<Root<Cell*>>> held;
        auto bytesOf = [](Cell* cell) { return reinterpret_cast<u8*>(cell + 1); };
        for (int i = 0; i < 50; i++) {
            Cell* cell = heap.allocate(3000, BytesKind, 0);
            memset(bytesOf(cell), i, 2992);
            held.push_back(std::make_unique<Root<Cell*>>(roots, cell));
        }
        for (int i = 0; i < 50; i++) {
            Cell* cell = heap.tryResize(held[i]->get(), 3000, 50000 + i * 8);
            REQUIRE(cell);
            held[i]->set(cell);
            memset(bytesOf(cell) + 2992, i, 47008 + i * 8 - 8);
            REQUIRE(heap.verify() == nullptr);
        }
        heap.collect();
        for (int i = 0; i < 50; i++) {
            Cell* cell = held[i]->get();
            REQUIRE(heap.findCell(u64(cell) + 40000) == cell);
            REQUIRE((bytesOf(cell)[0] == i && bytesOf(cell)[49000] == i));
            cell = heap.tryResize(cell, 50000 + i * 8, 100);
            REQUIRE(cell);
            held[i]->set(cell);
            REQUIRE((cell->kind == BytesKind && bytesOf(cell)[91] == i));
        }
        heap.collect();
        CHECK(heap.usedBytes() == 50 * 112);
        CHECK(heap.verify() == nullptr);
    }

    NOINLINE u64 makeHidden(PreciseHeap & heap) { return u64(heap.pair(nullptr, nullptr, 77)) ^ ~0ull; }

    TEST_CASE("What lies in a C++ frame survives") {
        PreciseHeap heap;
        heap.setStackBase(__builtin_frame_address(0));
        Pair* volatile held = heap.pair(nullptr, nullptr, 1);
        Pair* inRegister = heap.pair(nullptr, nullptr, 2);
        heap.collect();
        CHECK(held->number == 1);
        CHECK(inRegister->number == 2);
        CHECK(heap.findCell(u64(inRegister)) == inRegister);
        u64 hidden = makeHidden(heap);
        heap.collect();
        // A complemented address is no reference. (A stale copy may still lie somewhere; it must not crash.)
        (void)heap.findCell(hidden ^ ~0ull);
    }

    TEST_CASE("Weak callbacks see what was reached, finalizers run once for the dead") {
        PreciseHeap heap;
        static int finalized;
        finalized = 0;
        heap.setFinalizer(PairKind, [](Cell*) { finalized++; });
        Pair* kept = heap.pair();
        Pair* lost = heap.pair();
        heap.trackFinalizer(kept);
        heap.trackFinalizer(lost);
        heap.pairs = {kept};
        struct Weak {
            Pair *kept, *lost;
        } weak{kept, lost};
        heap.addWeak(
            [](void* context, Heap& of) {
                auto& cells = *static_cast<Weak*>(context);
                CHECK(of.collecting());
                if (cells.kept && !of.isMarked(cells.kept))
                    cells.kept = nullptr;
                if (cells.lost && !of.isMarked(cells.lost))
                    cells.lost = nullptr;
            },
            &weak);
        heap.collect();
        CHECK(weak.kept == kept);
        CHECK(weak.lost == nullptr);
        CHECK(finalized == 1);
        heap.collect();
        CHECK(finalized == 1);
    }

    TEST_CASE("A heap that ends finalizes what lives") {
        static int finalized;
        finalized = 0;
        {
            PreciseHeap heap;
            heap.setFinalizer(PairKind, [](Cell*) { finalized++; });
            heap.trackFinalizer(heap.pair());
        }
        CHECK(finalized == 1);
    }

    TEST_CASE("The first collections come each megabyte, later ones at twice what lives") {
        PreciseHeap heap;
        for (int i = 0; i < 320000; i++) // 10 MB of garbage
            heap.pair();
        CHECK(heap.collections() >= 8);
        CHECK(heap.collections() <= 11);
        CHECK(heap.reservedBytes() <= 3u << 20);
        for (int i = 0; i < 160000; i++) // 5 MB live
            heap.pairs.push_back(heap.pair());
        heap.collect();
        u64 before = heap.collections();
        for (int i = 0; i < 340000; i++) // 10.4 MB more
            heap.pair();
        CHECK(heap.collections() == before);
        for (int i = 0; i < 40000; i++)
            heap.pair();
        CHECK(heap.collections() == before + 1);
    }

    TEST_CASE("External bytes count for the trigger") {
        PreciseHeap heap;
        heap.pair();
        heap.adjustExternal(50 << 20);
        u64 before = heap.collections();
        heap.pair();
        CHECK(heap.collections() == before + 1);
        CHECK(heap.externalBytes() == 50u << 20);
        heap.adjustExternal(-(50 << 20));
        CHECK(heap.externalBytes() == 0);
    }

    TEST_CASE("The memory limit refuses what a script chose and reports what lives beyond it") {
        PreciseHeap heap;
        heap.setMemoryLimit(8 << 20);
        static int calls;
        calls = 0;
        heap.setLimitCallback([](void*) { calls++; }, nullptr);
        CHECK(heap.tryAllocate(1 << 20, BytesKind, 0) != nullptr);
        CHECK(!heap.overLimit());
        for (int i = 0; i < 1000000; i++) // garbage does not pass it
            heap.pair();
        CHECK(!heap.overLimit());
        CHECK(heap.tryAllocate(100 << 20, BytesKind, 0) == nullptr);
        CHECK(heap.overLimit());
        CHECK(calls == 1);
        heap.clearOverLimit();
        while (!heap.overLimit() && heap.pairs.size() < 1000000)
            heap.pairs.push_back(heap.pair());
        CHECK(calls == 2);
        CHECK(heap.usedBytes() > 8u << 20);
        CHECK(heap.usedBytes() < 9u << 20);
        CHECK(heap.pair() != nullptr); // it still allocates
    }

    TEST_CASE("A size that no machine has is refused") {
        PreciseHeap heap;
        CHECK(heap.tryAllocate(size_t(1) << 46, BytesKind, 0) == nullptr);
        CHECK(heap.overLimit());
    }

    TEST_CASE("Stress: a collection at every allocation, then at every nth") {
        PreciseHeap heap;
        heap.pairs.push_back(heap.pair());
        heap.setStress(100);
        for (int i = 0; i < 20000; i++)
            heap.pairs.back() = heap.pair();
        CHECK(heap.collections() == 20000);
        for (int i = 0; i < 1000; i++)
            heap.pair();
        CHECK(heap.collections() == 20010);
        heap.setStress(0);
        heap.pair();
        CHECK(heap.verify() == nullptr);
    }

    TEST_CASE("Holes between survivors are filled") {
        PreciseHeap heap;
        std::vector<Pair*> all;
        for (int i = 0; i < 20000; i++) {
            Pair* pair = heap.pair();
            if (i % 3 == 0)
                heap.pairs.push_back(pair);
        }
        heap.collect();
        u64 reserved = heap.reservedBytes();
        u64 live = heap.usedBytes();
        for (int i = 0; i < 13000; i++)
            heap.pairs.push_back(heap.pair());
        CHECK(heap.reservedBytes() == reserved);
        CHECK(heap.usedBytes() == live + 13000 * 32);
        std::sort(heap.pairs.begin(), heap.pairs.end());
        CHECK(std::adjacent_find(heap.pairs.begin(), heap.pairs.end()) == heap.pairs.end());
    }
}
