#!/bin/sh
# Differential test with random programs of csmith (its full default feature set: unions,
# bit-fields, volatiles, packed structs): compares the checksum of gcc with that of the interpreter.
# usage: csmith.sh INTERPRET FIRST COUNT [more csmith options]
# INTERPRET is the `interpret` example. Prints a line for each disagreement and the counts.
set -u
interpret=$1 first=$2 count=$3
shift 3
directory=$(mktemp -d)
include=$(ls -d /usr/include/csmith* 2>/dev/null | head -n 1)
same=0 different=0 skipped=0 seed=$first
while [ "$seed" -lt $((first + count)) ]; do
  program=$directory/$seed
  csmith --seed "$seed" "$@" >"$program.c"
  cc -w -O0 -I"$include" "$program.c" -o "$program.exe" 2>/dev/null
  if expected=$(timeout 5 "$program.exe"); then
    cc -w -E -P -I"$include" "$program.c" >"$program.i"
    value=$(timeout 120 "$interpret" "$program.i" 2>&1)
    found=$(printf '%s\n' "$value" | sed -n 's/^printf .*#x\([0-9a-f]*\).*/\1/p' | sed 's/^0*\(.\)/\1/' | tr a-f A-F | tail -n 1)
    wanted=$(printf '%s\n' "$expected" | sed -n 's/checksum = //p')
    if [ "$found" = "$wanted" ]; then
      same=$((same + 1))
    else
      different=$((different + 1))
      echo "seed $seed: gcc $wanted, interpreter $found: $(printf '%s' "$value" | tail -n 1)"
    fi
    rm -f "$program.i"
  else
    skipped=$((skipped + 1))
  fi
  rm -f "$program.c" "$program.exe"
  seed=$((seed + 1))
done
rmdir "$directory" 2>/dev/null
echo "same $same, different $different, skipped $skipped (gcc's program ran too long)"
[ "$different" -eq 0 ]
