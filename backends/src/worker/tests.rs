//! Frames and conversations without processes.
